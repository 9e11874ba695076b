import './jquery-global.js';
import 'fomantic-ui-css/semantic.js';
import 'fomantic-ui-css/semantic.css';
import '@selectize/selectize/dist/js/selectize.js';
import '@selectize/selectize/dist/css/selectize.default.css';
const S = window.S = {};
$('#root').html(`<div style="width:600px;padding:20px" class="ui form">
<div class=field><label>Port</label><div class="ui search selection dropdown" id=port><input type=hidden name=port><i class="dropdown icon"></i><div class="default text">Choose a port</div><div class=menu><div class=item data-value=lis>Lisbon</div><div class=item data-value=riga>Riga</div></div></div></div>
<div class=field><label>Cargo</label><select id=cargo multiple class="ui fluid dropdown"><option value="">Pick cargo</option><option value=salt>Salt</option><option value=rope>Rope</option><option value=tea>Tea</option></select></div>
<div class="ui toggle checkbox" id=night><input type=checkbox><label>Night watch</label></div>
<div class=field><label>Departure</label><div class="ui calendar" id=day><div class="ui input left icon"><i class="calendar icon"></i><input type=text placeholder=Date></div></div></div>
<div class="ui rating" id=stars data-max-rating=5></div>
<label for=crew>Crew</label><select id=crew><option value="">Choose</option><option value=ann>Ann</option><option value=bo>Bo</option></select>
<button class="ui button" id=open type=button>Delete</button></div>
<div class="ui modal" id=modal><div class=header>Delete 3 boats?</div><div class=content>They cannot be brought back.</div><div class=actions><button class="ui approve button">Yes, delete</button></div></div>`);
$('#port').dropdown({ onChange: v => { S.port = v; } });
$('#cargo').dropdown({ onChange: v => { S.cargo = v; } });
$('#night').checkbox({ onChange() { S.night = this.checked; } });
$('#day').calendar({ type: 'date', initialDate: new Date(2026, 2, 10), onChange: d => { S.day = d?.getDate(); } });
$('#stars').rating({ onRate: v => { S.stars = v; } });
$('#crew').selectize({ onChange: v => { S.crew = v; } });
$('#modal').modal({ onApprove() { S.gone = true; }, duration: 0 });
$('#open').on('click', () => $('#modal').modal('show'));
