import { TabulatorFull } from 'tabulator-tables';
import 'tabulator-tables/dist/css/tabulator.css';
const root = document.getElementById('root');
const t = new TabulatorFull(root, { height: 300, data: Array.from({ length: 100 }, (_, i) => ({ id: i, name: 'Item ' + i, qty: (i * 37) % 100 })), columns: [{ title: 'Name', field: 'name', headerFilter: 'input' }, { title: 'Qty', field: 'qty', editor: 'number' }] });
window.S = { get first() { return t.getRows('active')[0]?.getData(); }, row: i => t.getRow(i).getData() };
