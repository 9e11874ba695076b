import { createGrid, ModuleRegistry, AllCommunityModule } from 'ag-grid-community';
ModuleRegistry.registerModules([AllCommunityModule]);
const root = document.getElementById('root');
root.style = 'height:400px;width:600px';
const rows = Array.from({ length: 200 }, (_, i) => ({ make: ['Opel', 'Fiat', 'Audi'][i % 3], model: 'M' + i, price: 1000 + (i * 37) % 900 }));
const api = createGrid(root, { rowData: rows, rowSelection: { mode: 'multiRow' }, columnDefs: [{ field: 'make', filter: true }, { field: 'model', editable: true }, { field: 'price', sortable: true }] });
window.S = { get first() { return api.getDisplayedRowAtIndex(0).data; }, get selected() { return api.getSelectedRows().map(r => r.model); } };
