import '@esri/calcite-components/main.css';
import { setAssetPath } from '@esri/calcite-components';
import '@esri/calcite-components/components/calcite-accordion';
import '@esri/calcite-components/components/calcite-accordion-item';
import '@esri/calcite-components/components/calcite-alert';
import '@esri/calcite-components/components/calcite-autocomplete';
import '@esri/calcite-components/components/calcite-autocomplete-item';
import '@esri/calcite-components/components/calcite-block';
import '@esri/calcite-components/components/calcite-button';
import '@esri/calcite-components/components/calcite-checkbox';
import '@esri/calcite-components/components/calcite-chip';
import '@esri/calcite-components/components/calcite-chip-group';
import '@esri/calcite-components/components/calcite-color-picker';
import '@esri/calcite-components/components/calcite-combobox';
import '@esri/calcite-components/components/calcite-combobox-item';
import '@esri/calcite-components/components/calcite-dialog';
import '@esri/calcite-components/components/calcite-dropdown';
import '@esri/calcite-components/components/calcite-dropdown-group';
import '@esri/calcite-components/components/calcite-dropdown-item';
import '@esri/calcite-components/components/calcite-inline-editable';
import '@esri/calcite-components/components/calcite-input';
import '@esri/calcite-components/components/calcite-input-date-picker';
import '@esri/calcite-components/components/calcite-input-number';
import '@esri/calcite-components/components/calcite-input-text';
import '@esri/calcite-components/components/calcite-input-time-picker';
import '@esri/calcite-components/components/calcite-label';
import '@esri/calcite-components/components/calcite-list';
import '@esri/calcite-components/components/calcite-list-item';
import '@esri/calcite-components/components/calcite-option';
import '@esri/calcite-components/components/calcite-pagination';
import '@esri/calcite-components/components/calcite-popover';
import '@esri/calcite-components/components/calcite-radio-button';
import '@esri/calcite-components/components/calcite-radio-button-group';
import '@esri/calcite-components/components/calcite-rating';
import '@esri/calcite-components/components/calcite-segmented-control';
import '@esri/calcite-components/components/calcite-segmented-control-item';
import '@esri/calcite-components/components/calcite-select';
import '@esri/calcite-components/components/calcite-sheet';
import '@esri/calcite-components/components/calcite-panel';
import '@esri/calcite-components/components/calcite-slider';
import '@esri/calcite-components/components/calcite-split-button';
import '@esri/calcite-components/components/calcite-stepper';
import '@esri/calcite-components/components/calcite-stepper-item';
import '@esri/calcite-components/components/calcite-switch';
import '@esri/calcite-components/components/calcite-tab';
import '@esri/calcite-components/components/calcite-tabs';
import '@esri/calcite-components/components/calcite-tab-nav';
import '@esri/calcite-components/components/calcite-tab-title';
import '@esri/calcite-components/components/calcite-table';
import '@esri/calcite-components/components/calcite-table-cell';
import '@esri/calcite-components/components/calcite-table-header';
import '@esri/calcite-components/components/calcite-table-row';
import '@esri/calcite-components/components/calcite-text-area';
import '@esri/calcite-components/components/calcite-tooltip';
import '@esri/calcite-components/components/calcite-tree';
import '@esri/calcite-components/components/calcite-tree-item';
setAssetPath(new URL('./', location.href).href);
const S = window.S = {};
const boats = ['Albatross', 'Bittern', 'Curlew', 'Dunlin', 'Egret', 'Fulmar', 'Gannet'];
document.getElementById('root').innerHTML = `<div style="padding:20px;width:760px;display:flex;flex-direction:column;gap:14px">
<calcite-dropdown id=dd><calcite-button slot=trigger>Export as</calcite-button><calcite-dropdown-group selection-mode=single group-title="Format"><calcite-dropdown-item>PDF file</calcite-dropdown-item><calcite-dropdown-item>CSV file</calcite-dropdown-item><calcite-dropdown-item>Image</calcite-dropdown-item></calcite-dropdown-group></calcite-dropdown>
<calcite-split-button id=sb primary-text="Save" dropdown-label="More save options"><calcite-dropdown-group selection-mode=none><calcite-dropdown-item id=sbcopy>Save a copy</calcite-dropdown-item><calcite-dropdown-item>Save draft</calcite-dropdown-item></calcite-dropdown-group></calcite-split-button>
<calcite-label>Basemap<calcite-select id=sel><calcite-option value=s>Streets</calcite-option><calcite-option value=i>Imagery</calcite-option><calcite-option value=t>Topographic</calcite-option></calcite-select></calcite-label>
<calcite-label>Layers<calcite-combobox id=multi placeholder="Select layers"><calcite-combobox-item value=roads heading="Roads"></calcite-combobox-item><calcite-combobox-item value=rivers heading="Rivers"></calcite-combobox-item><calcite-combobox-item value=rail heading="Railways"></calcite-combobox-item><calcite-combobox-item value=parks heading="Parks"></calcite-combobox-item></calcite-combobox></calcite-label>
<calcite-combobox id=single label-text="Country" selection-mode=single placeholder="Pick a country"><calcite-combobox-item value=pt heading="Portugal"></calcite-combobox-item><calcite-combobox-item value=no heading="Norway"></calcite-combobox-item><calcite-combobox-item value=pe heading="Peru"></calcite-combobox-item></calcite-combobox>
<calcite-combobox id=ancest label-text="Habitat" selection-mode=ancestors placeholder="Pick habitats"><calcite-combobox-item value=trees heading="Trees"><calcite-combobox-item value=pines heading="Pines"></calcite-combobox-item><calcite-combobox-item value=oaks heading="Oaks"></calcite-combobox-item></calcite-combobox-item><calcite-combobox-item value=grass heading="Grasses"></calcite-combobox-item></calcite-combobox>
<calcite-autocomplete id=auto label-text="Owner" placeholder="Search owners"></calcite-autocomplete>
<calcite-input-date-picker id=day label-text="Departure"></calcite-input-date-picker>
<calcite-input-date-picker id=range label-text="Stay" range></calcite-input-date-picker>
<calcite-input-time-picker id=time label-text="Alarm" hour-format=12></calcite-input-time-picker>
<calcite-input-number id=num label-text="Passengers" min=0 max=20 value=2></calcite-input-number>
<calcite-label>Opacity<calcite-slider id=slider min=0 max=100 value=40 label-handles></calcite-slider></calcite-label>
<calcite-slider id=rangeslider label-text="Scale range" min=0 max=100 min-value=20 max-value=80 min-label="Lowest" max-label="Highest"></calcite-slider>
<calcite-label layout=inline><calcite-checkbox id=check></calcite-checkbox>Show legend</calcite-label>
<calcite-label layout=inline>Night mode<calcite-switch id=sw></calcite-switch></calcite-label>
<calcite-radio-button-group id=rad name=units label-text="Units"><calcite-label layout=inline><calcite-radio-button value=m></calcite-radio-button>Metric</calcite-label><calcite-label layout=inline><calcite-radio-button value=i></calcite-radio-button>Imperial</calcite-label></calcite-radio-button-group>
<calcite-segmented-control id=seg><calcite-segmented-control-item value=list checked>List</calcite-segmented-control-item><calcite-segmented-control-item value=map>Map</calcite-segmented-control-item><calcite-segmented-control-item value=chart>Chart</calcite-segmented-control-item></calcite-segmented-control>
<calcite-rating id=rate label-text="Review"></calcite-rating>
<calcite-tabs><calcite-tab-nav slot=title-group><calcite-tab-title selected>Watercraft</calcite-tab-title><calcite-tab-title>Automobiles</calcite-tab-title><calcite-tab-title closable>Aircraft</calcite-tab-title></calcite-tab-nav><calcite-tab selected>Boats live here</calcite-tab><calcite-tab>Cars live here</calcite-tab><calcite-tab>Planes live here</calcite-tab></calcite-tabs>
<calcite-accordion><calcite-accordion-item heading="Shipping" id=acc>Ships in two days</calcite-accordion-item><calcite-accordion-item heading="Returns">Thirty days to return</calcite-accordion-item></calcite-accordion>
<calcite-block collapsible heading="Symbology" description="How it is drawn"><p>Block content here</p></calcite-block>
<calcite-button id=opendlg>Delete layer</calcite-button>
<calcite-dialog id=dlg modal heading="Delete 3 layers?" width-scale=s>They cannot be brought back.<calcite-button slot=footer-end id=yes>Yes, delete</calcite-button><calcite-button slot=footer-start appearance=outline id=no>Keep</calcite-button></calcite-dialog>
<calcite-button id=opensheet>Open filters</calcite-button>
<calcite-sheet id=sheet label="Filters"><calcite-panel heading="Filters" closable id=panel><p>Sheet content here</p><calcite-label layout=inline><calcite-checkbox id=only></calcite-checkbox>Only mine</calcite-label></calcite-panel></calcite-sheet>
<calcite-button id=toast>Publish</calcite-button>
<calcite-alert id=alert label="Published" kind=success icon><div slot=title>Your map is live</div><div slot=message>Everyone can see it</div><calcite-link slot=link>Undo it</calcite-link></calcite-alert>
<calcite-button id=tipb>Hover target</calcite-button><calcite-tooltip reference-element=tipb>Pan to the place</calcite-tooltip>
<calcite-button id=popb>About this map</calcite-button><calcite-popover reference-element=popb heading="Details" label="Details" closable><p style="padding:10px">Drawn in 1987</p></calcite-popover>
<calcite-tree id=tree selection-mode=ancestors><calcite-tree-item id=t1>Birds<calcite-tree slot=children><calcite-tree-item id=t11>Owl</calcite-tree-item><calcite-tree-item id=t12>Heron</calcite-tree-item></calcite-tree></calcite-tree-item><calcite-tree-item id=t2>Fish<calcite-tree slot=children><calcite-tree-item id=t21>Trout</calcite-tree-item></calcite-tree></calcite-tree-item></calcite-tree>
<calcite-table id=table caption="Boats" selection-mode=multiple page-size=3 numbered><calcite-table-row slot=table-header><calcite-table-header heading="Boat"></calcite-table-header><calcite-table-header heading="Length"></calcite-table-header></calcite-table-row>${boats.map((b, i) => `<calcite-table-row id=row${i}><calcite-table-cell>${b}</calcite-table-cell><calcite-table-cell>${10 + i} m</calcite-table-cell></calcite-table-row>`).join('')}</calcite-table>
<calcite-list id=list label="Trails" filter-enabled filter-placeholder="Find trails" selection-mode=multiple><calcite-list-item value=ridge label="Ridge path" description="Steep"></calcite-list-item><calcite-list-item value=lake label="Lake loop" description="Flat" closable></calcite-list-item><calcite-list-item value=canyon label="Canyon way" description="Hot" closable></calcite-list-item></calcite-list>
<calcite-pagination id=pages page-size=10 start-item=1 total-items=120></calcite-pagination>
<calcite-color-picker id=colour value="#35ac46"></calcite-color-picker>
<calcite-stepper id=steps numbered><calcite-stepper-item heading="Choose method" selected>Method text</calcite-stepper-item><calcite-stepper-item heading="Compile members">Members text</calcite-stepper-item><calcite-stepper-item heading="Confirm">Confirm text</calcite-stepper-item></calcite-stepper>
<calcite-label>Title<calcite-inline-editable id=inline controls><calcite-input id=title value="My map"></calcite-input></calcite-inline-editable></calcite-label>
<calcite-chip-group id=chips label="Seasons" selection-mode=multiple><calcite-chip value=spring>Spring</calcite-chip><calcite-chip value=summer>Summer</calcite-chip><calcite-chip value=winter closable id=winter>Winter</calcite-chip></calcite-chip-group>
<calcite-label>Notes<calcite-text-area id=notes></calcite-text-area></calcite-label>
</div>`;
const $ = window.$ = id => document.getElementById(id);
const on = (el, e, f) => (typeof el === 'string' ? $(el) : el).addEventListener(e, f);
on('dd', 'calciteDropdownSelect', () => { S.format = $('dd').selectedItems[0]?.textContent; });
on('sb', 'calciteSplitButtonPrimaryClick', () => { S.saved = true; });
on('sbcopy', 'calciteDropdownItemSelect', () => { S.copied = true; });
on('multi', 'calciteComboboxChange', () => { S.layers = [].concat($('multi').value); });
on('single', 'calciteComboboxChange', () => { S.country = $('single').value; });
on('ancest', 'calciteComboboxChange', () => { S.habitat = [].concat($('ancest').value); });
const owners = ['Ann Bell', 'Bo Carver', 'Cy Dean', 'Annika Ek'];
const fill = () => { const q = ($('auto').inputValue || '').toLowerCase(); $('auto').innerHTML = owners.filter(o => o.toLowerCase().includes(q)).map(o => `<calcite-autocomplete-item value="${o}" label="${o}" heading="${o}"></calcite-autocomplete-item>`).join(''); };
fill();
on('auto', 'calciteAutocompleteTextInput', fill);
on('auto', 'calciteAutocompleteChange', () => { S.owner = $('auto').value; $('auto').inputValue = S.owner; });
on('day', 'calciteInputDatePickerChange', () => { S.day = $('day').value; });
on('range', 'calciteInputDatePickerChange', () => { S.range = $('range').value; });
on('time', 'calciteInputTimePickerChange', () => { S.time = $('time').value; });
on('opendlg', 'click', () => { $('dlg').open = true; });
on('yes', 'click', () => { S.gone = true; $('dlg').open = false; });
on('no', 'click', () => { $('dlg').open = false; });
on('opensheet', 'click', () => { $('sheet').open = true; });
on('panel', 'calcitePanelClose', () => { S.sheetclosed = true; $('sheet').open = false; $('panel').closed = false; });
on('toast', 'click', () => { $('alert').open = true; });
on('alert', 'calciteAlertClose', () => { S.alertclosed = true; });
on('tree', 'calciteTreeSelect', () => { S.tree = $('tree').selectedItems.map(i => i.id); });
on('table', 'calciteTableSelect', () => { S.rows = $('table').selectedItems.map(i => i.id); });
on('list', 'calciteListChange', () => { S.trails = $('list').selectedItems.map(i => i.value); });
on('list', 'calciteListItemClose', e => { S.closed = e.target.value; });
on('pages', 'calcitePaginationChange', () => { S.start = $('pages').startItem; });
on('colour', 'calciteColorPickerChange', () => { S.colour = $('colour').value; });
on('steps', 'calciteStepperChange', () => { S.step = $('steps').selectedItem.heading; });
on('chips', 'calciteChipGroupSelect', () => { S.chips = $('chips').selectedItems.map(i => i.value); });
on('winter', 'calciteChipClose', () => { S.nowinter = true; });
on('inline', 'calciteInlineEditableEditConfirm', () => { S.title = $('title').value; });
S.monthISO = d => { const n = new Date(); const m = new Date(n.getFullYear(), n.getMonth() + 1, d); return m.getFullYear() + '-' + String(m.getMonth() + 1).padStart(2, '0') + '-' + String(d).padStart(2, '0'); };
