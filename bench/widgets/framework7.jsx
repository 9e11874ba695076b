import Framework7 from 'framework7/bundle';
import 'framework7/css/bundle';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div class="view view-main view-init"><div class="page"><div class="navbar"><div class="navbar-inner"><div class="title">Boats</div></div></div><div class="page-content">
<div class="list"><ul><li><a class="item-link smart-select smart-select-init" data-open-in="popup"><select name=town><option value=oslo>Oslo</option><option value=lima>Lima</option><option value=linz>Linz</option></select><div class="item-content"><div class="item-inner"><div class="item-title">Town</div></div></div></a></li>
<li><div class="item-content item-input"><div class="item-inner"><div class="item-input-wrap"><input type=text placeholder="Choose a day" readonly id=day></div></div></div></li>
<li><div class="item-content item-input"><div class="item-inner"><div class="item-input-wrap"><input type=text placeholder="Choose a load" readonly id=load></div></div></div></li>
<li class="swipeout"><div class="item-content swipeout-content"><div class="item-inner">Swipe me</div></div></li></ul></div>
<div class="block">Volume<div class="range-slider range-slider-init" data-min=0 data-max=100 data-step=1 data-value=20 data-label=true id=volume></div></div>
<div class="block">Wake me <label class="toggle toggle-init" id=on><input type=checkbox><span class="toggle-icon"></span></label></div>
<div class="block">Boats <div class="stepper stepper-init" id=count data-value=1><div class="stepper-button-minus"></div><div class="stepper-input-wrap"><input type=text value=1 readonly></div><div class="stepper-button-plus"></div></div></div>
<div class="block"><label class="radio"><input type=radio name=pay value=cash><i class="icon-radio"></i></label> Cash <label class="radio"><input type=radio name=pay value=card><i class="icon-radio"></i></label> Card</div>
<div class="block"><button class="button" id=del>Drop boat</button><button class="button" id=act>Actions</button></div>
<div class="list accordion-list"><ul><li class="accordion-item"><a class="item-link item-content"><div class="item-inner"><div class="item-title">More</div></div></a><div class="accordion-item-content"><div class="block">Hidden treasure</div></div></li></ul></div>
</div></div></div>`;
const app = new Framework7({ el: '#root', theme: 'ios' }); S.app = app;
app.calendar.create({ inputEl: '#day', value: [new Date(2026, 2, 10)], on: { change(c, v) { S.day = v[0]?.getDate(); } } });
app.picker.create({ inputEl: '#load', cols: [{ values: ['Salt', 'Tea', 'Coal', 'Wood'] }], on: { change(p, v) { S.load = v[0]; } } });
document.getElementById('del').onclick = () => app.dialog.confirm('It cannot be brought back', 'Delete the boat?', () => { S.gone = true; });
document.getElementById('act').onclick = () => app.actions.create({ buttons: [{ text: 'Copy', onClick: () => { S.item = 'copy'; } }, { text: 'Paste', onClick: () => { S.item = 'paste'; } }] }).open();
