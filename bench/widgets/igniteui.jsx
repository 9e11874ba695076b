import { defineAllComponents } from 'igniteui-webcomponents';
import 'igniteui-webcomponents/themes/light/bootstrap.css';
defineAllComponents();
const S = window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:700px">
<igc-select id=town label="Town"><igc-select-item value=oslo>Oslo</igc-select-item><igc-select-item value=lima>Lima</igc-select-item><igc-select-item value=linz>Linz</igc-select-item></igc-select>
<igc-combo id=crew label="Crew" placeholder="Pick crew" value-key=id display-key=name></igc-combo>
<igc-combo id=fruit label="Fruit" placeholder="Pick a fruit" value-key=id display-key=name single-select></igc-combo>
<igc-input id=note label="Note"></igc-input><igc-textarea id=story label="Story"></igc-textarea><igc-mask-input id=mask label="Phone" mask="(000) 000-0000"></igc-mask-input>
<igc-date-picker id=day label="Departure"></igc-date-picker>
<igc-date-time-input id=dti label="Start" input-format="MM/dd/yyyy HH:mm"></igc-date-time-input>
<igc-slider id=volume aria-label="Volume" min=0 max=100 value=20></igc-slider>
<igc-range-slider id=range thumb-label-lower="From" thumb-label-upper="To" min=0 max=100 lower=20 upper=60></igc-range-slider>
<igc-switch id=on>Wake me</igc-switch><igc-checkbox id=agree>Agree</igc-checkbox>
<igc-radio-group><igc-radio name=pay id=cash value=cash>Cash</igc-radio><igc-radio name=pay id=card value=card>Card</igc-radio></igc-radio-group>
<igc-rating id=stars label="Stars" max=5></igc-rating>
<igc-button-group id=bg><igc-toggle-button value=map>Map</igc-toggle-button><igc-toggle-button value=list>List</igc-toggle-button></igc-button-group>
<igc-dropdown id=dd><igc-button slot=target>Actions</igc-button><igc-dropdown-item value=copy>Copy</igc-dropdown-item><igc-dropdown-item value=paste>Paste</igc-dropdown-item></igc-dropdown>
<igc-button id=open>Drop boat</igc-button><igc-dialog id=dlg><h3 slot=title>Delete the boat?</h3><p>It cannot be brought back.</p><igc-button slot=footer id=del>Delete</igc-button></igc-dialog>
<igc-button id=tie>Tie</igc-button><igc-snackbar id=sb action-text="Undo" style="z-index:9">Rope is tied</igc-snackbar>
<igc-tabs><igc-tab label="One" selected><p>First panel</p></igc-tab><igc-tab label="Two"><p>Second panel</p></igc-tab></igc-tabs>
<igc-accordion><igc-expansion-panel><h1 slot=title>More</h1><span>Hidden treasure</span></igc-expansion-panel></igc-accordion>
<igc-tree id=tree selection=multiple><igc-tree-item id=eu label="Europe"><igc-tree-item id=no label="Norway"></igc-tree-item></igc-tree-item><igc-tree-item id=as label="Asia"></igc-tree-item></igc-tree>
<igc-stepper id=st><igc-step><span slot=title>Boat</span>Choose a boat</igc-step><igc-step><span slot=title>Crew list</span>Name the crew</igc-step></igc-stepper>
<igc-carousel id=car disable-loop><igc-carousel-slide>Slide alpha</igc-carousel-slide><igc-carousel-slide>Slide beta</igc-carousel-slide></igc-carousel>
<igc-calendar id=cal></igc-calendar>
<igc-chip id=chip removable>oar</igc-chip>
<igc-button id=tt>Hint</igc-button><igc-tooltip anchor=tt>Words of the tip</igc-tooltip>
<igc-file-input id=file label="Upload"></igc-file-input>
</div>`;
const $ = window.$ = id => document.getElementById(id);
$('day').value = new Date(2026, 2, 10); $('cal').activeDate = new Date(2026, 2, 10);
$('crew').data = [{ id: 'ann', name: 'Ann' }, { id: 'bo', name: 'Bo' }, { id: 'cy', name: 'Cy' }];
$('fruit').data = [{ id: 'apple', name: 'Apple' }, { id: 'banana', name: 'Banana' }, { id: 'cherry', name: 'Cherry' }];
$('dd').addEventListener('igcChange', e => { S.item = e.detail.value; });
$('open').onclick = () => $('dlg').show(); $('del').onclick = () => { S.gone = true; $('dlg').hide(); }; $('tie').onclick = () => $('sb').show(); $('sb').addEventListener('igcAction', () => { S.undo = true; });
$('tree').addEventListener('igcSelection', e => { S.sel = e.detail.newSelection.map(x => x.id).join(); });
$('chip').addEventListener('igcRemove', () => { S.chip = 'gone'; });
