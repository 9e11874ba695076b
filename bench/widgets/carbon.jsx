import '@carbon/web-components/es/components/dropdown/index.js';
import '@carbon/web-components/es/components/combo-box/index.js';
import '@carbon/web-components/es/components/multi-select/index.js';
import '@carbon/web-components/es/components/date-picker/index.js';
import '@carbon/web-components/es/components/toggle/index.js';
import '@carbon/web-components/es/components/slider/index.js';
import '@carbon/web-components/es/components/modal/index.js';
import '@carbon/web-components/es/components/button/index.js';
import '@carbon/web-components/es/components/tabs/index.js';
import '@carbon/web-components/es/components/data-table/index.js';
const S = window.S = {};
const row = (name, tons) => `<cds-table-row selection-name="${name}"><cds-table-cell>${name}</cds-table-cell><cds-table-cell>${tons}</cds-table-cell></cds-table-row>`;
document.getElementById('root').innerHTML = `<div style="width:700px">
<cds-dropdown id=cargo title-text="Cargo"><cds-dropdown-item value=salt>Salt</cds-dropdown-item><cds-dropdown-item value=tea>Tea</cds-dropdown-item></cds-dropdown>
<cds-combo-box id=pier title-text="Pier"><cds-combo-box-item value=north>North</cds-combo-box-item><cds-combo-box-item value=south>South</cds-combo-box-item></cds-combo-box>
<cds-multi-select id=crew title-text="Crew" label="Choose"><cds-multi-select-item value=ann>Ann</cds-multi-select-item><cds-multi-select-item value=bo>Bo</cds-multi-select-item></cds-multi-select>
<cds-date-picker id=day><cds-date-picker-input kind=single label-text="Departure" placeholder="mm/dd/yyyy"></cds-date-picker-input></cds-date-picker>
<cds-toggle id=night label-text="Night watch"></cds-toggle><cds-slider id=speed label-text="Speed" min=0 max=100 value=10 step=1><cds-slider-input></cds-slider-input></cds-slider>
<cds-tabs value=hull><cds-tab target=p1 value=hull>Hull</cds-tab><cds-tab target=p2 value=sails>Sails</cds-tab></cds-tabs><div id=p1 role=tabpanel>Oak planks</div><div id=p2 role=tabpanel hidden>Red canvas</div>
<cds-table is-selectable id=table><cds-table-header-title slot=title>Boats</cds-table-header-title><cds-table-head><cds-table-header-row><cds-table-header-cell>Name</cds-table-header-cell><cds-table-header-cell>Tons</cds-table-header-cell></cds-table-header-row></cds-table-head><cds-table-body>${row('Gull', 10)}${row('Tern', 20)}${row('Skua', 30)}</cds-table-body></cds-table>
<cds-button id=open>Delete</cds-button><cds-modal id=modal><cds-modal-header><cds-modal-close-button></cds-modal-close-button><cds-modal-heading>Delete 3 boats?</cds-modal-heading></cds-modal-header><cds-modal-body><p>They cannot be brought back.</p></cds-modal-body><cds-modal-footer><cds-modal-footer-button kind=secondary data-modal-close>Cancel</cds-modal-footer-button><cds-modal-footer-button id=yes>Yes, delete</cds-modal-footer-button></cds-modal-footer></cds-modal></div>`;
const $ = window.$ = id => document.getElementById(id);
$('open').onclick = () => { $('modal').open = true; };
$('yes').onclick = () => { S.gone = true; $('modal').open = false; };
