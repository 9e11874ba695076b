import React from 'react';
import { createRoot } from 'react-dom/client';
import { Grid } from 'gridjs';
import 'gridjs/dist/theme/mermaid.css';
import { defineCustomElements } from '@revolist/revogrid/loader';
import DataGrid, { textEditor, SelectColumn } from 'react-data-grid';
import 'react-data-grid/lib/styles.css';
import TuiGrid from 'tui-grid';
import 'tui-grid/dist/tui-grid.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<div style="padding:20px;width:760px"><h2>Fleet</h2><div id=gj></div><h2>Crew</h2><div id=dg></div><h2>Stock</h2><div id=tg></div><h2>Sheet</h2><revo-grid id=rg style="height:200px"></revo-grid></div>';
new Grid({ columns: ['Name', 'Tons'], search: true, sort: true, pagination: { limit: 4 }, data: Array.from({ length: 15 }, (_, i) => ['Boat ' + i, (i * 37) % 101]) }).render(document.getElementById('gj'));
const cols = [SelectColumn, { key: 'name', name: 'Name', renderEditCell: textEditor, resizable: true }, { key: 'pay', name: 'Pay', sortable: true, renderEditCell: textEditor }];
function Crew() { const [rows, set] = React.useState(() => ['Ann', 'Bo', 'Cy', 'Dee'].map((name, i) => ({ id: i, name, pay: 100 - i * 7 }))), [sel, setSel] = React.useState(new Set()), [sort, setSort] = React.useState([]); S.crew = rows; S.sort = sort.map(s => s.columnKey + s.direction).join(); S.sel = [...sel].join(); return <DataGrid columns={cols} rows={rows} rowKeyGetter={r => r.id} onRowsChange={set} selectedRows={sel} onSelectedRowsChange={setSel} sortColumns={sort} onSortColumnsChange={setSort} style={{ height: 220 }} />; }
createRoot(document.getElementById('dg')).render(<Crew />);
const tg = new TuiGrid({ el: document.getElementById('tg'), rowHeaders: ['checkbox'], bodyHeight: 120, columns: [{ header: 'Item', name: 'item', editor: 'text', sortable: true, filter: 'text' }, { header: 'Kind', name: 'kind', editor: { type: 'select', options: { listItems: ['Rope', 'Net'].map(x => ({ text: x, value: x })) } }, formatter: 'listItemText' }], data: [{ item: 'Line', kind: 'Rope' }, { item: 'Drift', kind: 'Net' }] }); S.stock = () => JSON.stringify(tg.getData()); S.ticked = () => tg.getCheckedRows().map(r => r.item).join();
const rg = document.getElementById('rg'); rg.columns = [{ prop: 'a', name: 'Port', sortable: true }, { prop: 'b', name: 'Depth' }]; rg.source = [{ a: 'Oslo', b: '12' }, { a: 'Lima', b: '30' }, { a: 'Linz', b: '4' }]; S.sheet = async () => JSON.stringify(await rg.getSource());
rg.addEventListener('afteredit', e => { S.port = e.detail.val; });
defineCustomElements();
