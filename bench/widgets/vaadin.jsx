import '@vaadin/combo-box'; import '@vaadin/date-picker'; import '@vaadin/select'; import '@vaadin/grid'; import '@vaadin/grid/vaadin-grid-sort-column.js'; import '@vaadin/menu-bar'; import '@vaadin/multi-select-combo-box'; import '@vaadin/time-picker'; import '@vaadin/dialog';
const S = window.S = {};
document.getElementById('root').innerHTML = `<vaadin-combo-box id=c label="Country"></vaadin-combo-box><vaadin-multi-select-combo-box id=m label="Skills"></vaadin-multi-select-combo-box><vaadin-select id=s label="Size"></vaadin-select><vaadin-date-picker id=d label="Day" initial-position="2026-03-10"></vaadin-date-picker><vaadin-time-picker id=t label="Time"></vaadin-time-picker><vaadin-menu-bar id=b></vaadin-menu-bar><vaadin-grid id=g style="height:250px"><vaadin-grid-sort-column path=name header=Name></vaadin-grid-sort-column><vaadin-grid-column path=age header=Age></vaadin-grid-column></vaadin-grid>`;
const $ = window.$ = id => document.getElementById(id);
$('c').items = ['France', 'Finland', 'Fiji', 'Greece']; $('m').items = ['Go', 'C', 'Rust'];
$('s').items = [{ label: 'Small', value: 's' }, { label: 'Large', value: 'l' }];
$('b').items = [{ text: 'Share', children: [{ text: 'By mail' }, { text: 'By post' }] }, { text: 'Move' }]; $('b').addEventListener('item-selected', e => { S.item = e.detail.value.text; });
$('g').items = Array.from({ length: 200 }, (_, i) => ({ name: 'Person ' + (i + 1), age: 20 + i * 7 % 40 })); $('g').addEventListener('active-item-changed', e => { S.row = e.detail.value?.name; });
