import * as M from '@materializecss/materialize';
import '@materializecss/materialize/dist/css/materialize.min.css';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:600px">
<div class="input-field"><select id=town><option value="" disabled selected>Choose a town</option><option value=o>Oslo</option><option value=l>Lima</option></select><label>Town</label></div>
<div class="input-field"><select id=crew multiple><option value=Ann>Ann</option><option value=Bo>Bo</option><option value=Cy>Cy</option></select><label>Crew</label></div>
<div class="input-field outlined"><input id=name type=text placeholder=" "><label for=name>Name</label></div>
<div class="input-field"><input id=ac type=text class=autocomplete placeholder=" "><label for=ac>Fruit</label></div>
<div class="input-field"><input id=day type=text class=datepicker placeholder=" "><label for=day>Departure</label></div>
<div class="input-field"><input id=time type=text class=timepicker placeholder=" "><label for=time>Hour</label></div>
<div class="switch"><label>Off<input type=checkbox id=night><span class=lever></span>On</label></div>
<p><label><input type=checkbox id=agree><span>I agree</span></label></p><p><label><input name=pay type=radio value=cash><span>Cash</span></label><label><input name=pay type=radio value=card><span>Card</span></label></p>
<div class=chips id=chips></div>
<a class="btn dropdown-trigger" href="#" data-target=dd>Actions</a><ul id=dd class=dropdown-content><li><a href="#!" onclick="S.item='copy'">Copy</a></li><li><a href="#!" onclick="S.item='paste'">Paste</a></li></ul>
<a class="btn modal-trigger" href="#m1">Sink</a><dialog id=m1 class=modal><div class=modal-content><h4>Sink the boat?</h4><p>It cannot be raised again.</p></div><div class=modal-footer><button class="btn-flat modal-close" onclick="S.sunk=true">Sink it</button></div></dialog>
<ul class="tabs"><li class=tab><a href="#t1">Hull</a></li><li class=tab><a href="#t2">Sails</a></li></ul><div id=t1>Oak planks</div><div id=t2>Red canvas</div>
<ul class=collapsible><li><div class=collapsible-header>More</div><div class=collapsible-body><span>Hidden treasure</span></div></li></ul>
<a class="btn tooltipped" data-position=bottom data-tooltip="High at nine">Tide</a><label>Volume<input type=range id=vol min=0 max=100></label>
<div class="fixed-action-btn" style="position:static"><a class="btn-floating"><i>+</i></a><ul><li><a class=btn-floating onclick="S.fab='edit'" aria-label=Edit>e</a></li></ul></div></div>`;
M.AutoInit();
M.Autocomplete.init(document.getElementById('ac'), { data: ['Apple', 'Apricot', 'Banana'].map(text => ({ id: text, text })), minLength: 1, onAutocomplete: v => { S.fruit = v.map(x => x.id).join(); } });
M.Datepicker.init(document.getElementById('day'), { defaultDate: new Date(2026, 2, 10), setDefaultDate: true, onSelect: d => { S.day = d.getDate(); } });
M.Chips.init(document.getElementById('chips'), { placeholder: 'Add gear', allowUserInput: true, data: [{ id: 'oar' }], onChipAdd: e => { S.chips = [...document.querySelectorAll('.chip')].map(c => c.firstChild.textContent).join(); }, onChipDelete: () => { S.gone = true; } });
window.$ = id => document.getElementById(id);
