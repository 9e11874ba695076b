import '@spectrum-web-components/bundle/elements.js';
import '@spectrum-web-components/theme/src/themes.js';
const S = window.S = {};
document.getElementById('root').innerHTML = `<sp-theme system="spectrum" color="light" scale="medium"><div style="padding:20px;width:500px">
<sp-field-label for=town>Town</sp-field-label><sp-picker id=town label="Choose a town"><sp-menu-item value=oslo>Oslo</sp-menu-item><sp-menu-item value=lima>Lima</sp-menu-item><sp-menu-item value=linz>Linz</sp-menu-item></sp-picker>
<sp-field-label for=fruit>Fruit</sp-field-label><sp-combobox id=fruit autocomplete=list></sp-combobox>
<sp-slider id=volume label="Volume" value=20 max=100></sp-slider>
<sp-field-label for=count>Boats</sp-field-label><sp-number-field id=count value=10></sp-number-field>
<sp-switch id=on>Wake me</sp-switch><sp-checkbox id=agree>Agree</sp-checkbox>
<sp-radio-group id=pay selected=cash name=pay><sp-radio value=cash>Cash</sp-radio><sp-radio value=card>Card</sp-radio></sp-radio-group>
<overlay-trigger id=ov type=modal><sp-dialog-wrapper slot=click-content headline="Delete the boat?" underlay confirm-label="Delete" cancel-label="Keep" id=dlg>It cannot be brought back.</sp-dialog-wrapper><sp-button slot=trigger>Drop boat</sp-button></overlay-trigger>
<sp-action-menu id=menu><span slot=label>Actions</span><sp-menu-item value=copy>Copy</sp-menu-item><sp-menu-item value=paste>Paste</sp-menu-item></sp-action-menu>
<sp-tabs selected=1><sp-tab label="One" value=1></sp-tab><sp-tab label="Two" value=2></sp-tab><sp-tab-panel value=1>First panel</sp-tab-panel><sp-tab-panel value=2>Second panel</sp-tab-panel></sp-tabs>
<sp-accordion><sp-accordion-item label="More">Hidden treasure</sp-accordion-item></sp-accordion>
<sp-field-label for=note>Note</sp-field-label><sp-textfield id=note></sp-textfield>
<sp-table id=table size=m selects=multiple><sp-table-head><sp-table-head-cell sortable sort-key=name>Name</sp-table-head-cell><sp-table-head-cell>Tons</sp-table-head-cell></sp-table-head><sp-table-body><sp-table-row value=ann><sp-table-cell>Ann</sp-table-cell><sp-table-cell>12</sp-table-cell></sp-table-row><sp-table-row value=bo><sp-table-cell>Bo</sp-table-cell><sp-table-cell>47</sp-table-cell></sp-table-row></sp-table-body></sp-table>
</div></sp-theme>`;
const $ = window.$ = id => document.getElementById(id);
$('fruit').options = ['Apple', 'Banana', 'Cherry', 'Cranberry'].map(v => ({ value: v, itemText: v }));
$('dlg').addEventListener('confirm', () => { S.gone = true; });
$('menu').addEventListener('change', e => { S.item = e.target.value; });
$('table').addEventListener('change', e => { S.rows = $('table').selected; });
$('table').addEventListener('sorted', e => { S.sort = e.detail.sortKey; });
