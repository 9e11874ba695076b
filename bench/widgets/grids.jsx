import React from 'react';
import { createRoot } from 'react-dom/client';
import { DataGrid } from '@mui/x-data-grid';
import { SimpleTreeView } from '@mui/x-tree-view/SimpleTreeView';
import { TreeItem } from '@mui/x-tree-view/TreeItem';
const S = window.S = {};
const rows = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, name: 'Item ' + (i + 1), qty: (i * 37) % 100 }));
createRoot(document.getElementById('root')).render(<div style={{ width: 600 }}><div style={{ height: 400 }}><DataGrid rows={rows} columns={[{ field: 'name', headerName: 'Name', width: 150, editable: true }, { field: 'qty', headerName: 'Qty', width: 120 }]} checkboxSelection initialState={{ pagination: { paginationModel: { pageSize: 10 } } }} pageSizeOptions={[5, 10]} onRowSelectionModelChange={m => { S.sel = m.ids ? [...m.ids] : m; }} processRowUpdate={r => { S.edited = r.name; return r; }} onSortModelChange={m => { S.sort = m[0]; }} onPaginationModelChange={m => { S.page = m; }} onFilterModelChange={m => { S.filter = m.items[0]?.value; }} /></div>
	<SimpleTreeView onSelectedItemsChange={(_, v) => { S.node = v; }}><TreeItem itemId="a" label="Animals"><TreeItem itemId="o" label="Owl" /></TreeItem><TreeItem itemId="p" label="Plants" /></SimpleTreeView></div>);
