import { provideFluentDesignSystem, allComponents } from '@fluentui/web-components';
provideFluentDesignSystem().register(allComponents);
const S = window.S = {};
document.getElementById('root').innerHTML = `<fluent-design-system-provider use-defaults><div style="padding:20px;width:500px">
<label id=tl>Town</label> <fluent-select id=town aria-labelledby=tl><fluent-option value=oslo>Oslo</fluent-option><fluent-option value=lima>Lima</fluent-option><fluent-option value=linz>Linz</fluent-option></fluent-select>
<fluent-combobox id=fruit autocomplete=both placeholder="Fruit"><fluent-option>Apple</fluent-option><fluent-option>Banana</fluent-option><fluent-option>Cherry</fluent-option></fluent-combobox>
<br><label>Volume</label><fluent-slider id=volume min=0 max=100 step=1 value=20 aria-label="Volume"></fluent-slider>
<fluent-number-field id=count value=10>Boats</fluent-number-field><fluent-text-field id=note>Note</fluent-text-field><fluent-text-area id=text>Story</fluent-text-area>
<fluent-switch id=on>Wake me</fluent-switch><fluent-checkbox id=agree>Agree</fluent-checkbox>
<fluent-radio-group id=pay name=pay><label slot=label>Pay</label><fluent-radio value=cash>Cash</fluent-radio><fluent-radio value=card>Card</fluent-radio></fluent-radio-group>
<fluent-button id=open>Drop boat</fluent-button><fluent-dialog id=dlg hidden trap-focus modal><div style="padding:20px"><h2>Delete the boat?</h2><p>It cannot be brought back.</p><fluent-button id=del>Delete</fluent-button></div></fluent-dialog>
<fluent-menu id=menu><fluent-menu-item>Copy</fluent-menu-item><fluent-menu-item>Paste</fluent-menu-item></fluent-menu>
<fluent-tabs id=tabs><fluent-tab id=a>One</fluent-tab><fluent-tab id=b>Two</fluent-tab><fluent-tab-panel>First panel</fluent-tab-panel><fluent-tab-panel>Second panel</fluent-tab-panel></fluent-tabs>
<fluent-accordion><fluent-accordion-item><span slot=heading>More</span>Hidden treasure</fluent-accordion-item></fluent-accordion>
<fluent-tree-view id=tree><fluent-tree-item id=eu>Europe<fluent-tree-item id=no>Norway</fluent-tree-item></fluent-tree-item><fluent-tree-item id=as>Asia</fluent-tree-item></fluent-tree-view>
<fluent-data-grid id=grid></fluent-data-grid><fluent-calendar id=cal month=3 year=2026></fluent-calendar>
</div></fluent-design-system-provider>`;
const $ = window.$ = id => document.getElementById(id);
$('open').onclick = () => { $('dlg').hidden = false; }; $('del').onclick = () => { S.gone = true; $('dlg').hidden = true; };
$('menu').addEventListener('change', e => { S.item = e.target.textContent; });
$('tree').addEventListener('selected-change', e => { if (e.target.selected) S.place = e.target.id; });
$('grid').rowsData = [{ name: 'Ann', tons: 12 }, { name: 'Bo', tons: 47 }];
$('cal').addEventListener('dateselected', e => { S.day = e.detail.day; });
