import React from 'react';
import { createRoot } from 'react-dom/client';
import { DataEditor, GridCellKind } from '@glideapps/glide-data-grid';
import '@glideapps/glide-data-grid/dist/index.css';
const S = window.S = { rows: Array.from({ length: 100 }, (_, i) => ['Boat ' + (i + 1), String(10 * i)]) };
const portal = document.createElement('div'); portal.id = 'portal'; portal.style = 'position:fixed;left:0;top:0;z-index:9999'; document.body.append(portal);
createRoot(document.getElementById('root')).render(<DataEditor width={500} height={300} rows={100} columns={[{ title: 'Name', width: 200 }, { title: 'Tons', width: 150 }]}
	getCellContent={([c, r]) => ({ kind: GridCellKind.Text, data: S.rows[r][c], displayData: S.rows[r][c], allowOverlay: true })} onCellEdited={([c, r], v) => { S.rows[r][c] = v.data; S.edited = v.data; }} />);
