import '@material/web/all.js';
const S = window.S = {};
document.getElementById('root').innerHTML = `<md-outlined-select label=Fruit id=f><md-select-option value=a><div slot=headline>Apple</div></md-select-option><md-select-option value=b><div slot=headline>Apricot</div></md-select-option></md-outlined-select>
<md-filled-text-field label=Name id=n></md-filled-text-field><label>Agree<md-checkbox id=c aria-label=Agree></md-checkbox></label><md-switch id=w aria-label=Power></md-switch><md-slider id=r labeled min=0 max=100 value=20 aria-label=Volume></md-slider>
<md-radio name=g id=g1 aria-label=Cat></md-radio><md-radio name=g id=g2 aria-label=Dog></md-radio>
<span style="position:relative"><md-filled-button id=b>Menu</md-filled-button><md-menu anchor=b id=m><md-menu-item id=i1><div slot=headline>Cut</div></md-menu-item><md-menu-item id=i2><div slot=headline>Paste</div></md-menu-item></md-menu></span>
<md-text-button id=o>Dialog</md-text-button><md-dialog id=d><div slot=headline>Confirm</div><div slot=content>For ever</div><div slot=actions><md-text-button id=ok>Yes</md-text-button></div></md-dialog>
<md-tabs id=t><md-primary-tab>Video</md-primary-tab><md-primary-tab>Photos</md-primary-tab></md-tabs><md-filter-chip label=Jazz id=k></md-filter-chip>`;
const $ = window.$ = id => document.getElementById(id);
$('b').onclick = () => { $('m').open = true; };
$('i2').onclick = () => { S.paste = true; };
$('o').onclick = () => $('d').show();
$('ok').onclick = () => { S.yes = true; $('d').close(); };
