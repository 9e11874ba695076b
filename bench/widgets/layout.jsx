import React from 'react';
import { createRoot } from 'react-dom/client';
import { GridStack } from 'gridstack';
import 'gridstack/dist/gridstack.css';
import { ReactFlow, addEdge } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import * as P from 'react-resizable-panels';
import { Tree } from 'react-arborist';
const S = window.S = {};
const nodes0 = [{ id: 'a', position: { x: 20, y: 20 }, data: { label: 'Source' } }, { id: 'b', position: { x: 20, y: 160 }, data: { label: 'Target' } }];
function Flow() { const [edges, set] = React.useState([]); S.edges = edges; return <div style={{ width: 400, height: 260 }}><ReactFlow defaultNodes={nodes0} edges={edges} onConnect={c => set(e => addEdge(c, e))} onNodeClick={(_, n) => { S.node = n.id; }} onNodeDragStop={(_, n) => { S.moved = n.position; }} /></div>; }
const Group = P.PanelGroup || P.Group, Handle = P.PanelResizeHandle || P.Separator;
createRoot(document.getElementById('root')).render(<div style={{ width: 600 }}><Flow />
	<div style={{ height: 80 }}><Group direction="horizontal" orientation="horizontal" onLayout={v => { S.layout = v; }} onLayoutChange={v => { S.layout = v; }}><P.Panel defaultSize={50}>Left pane</P.Panel><Handle style={{ width: 8, background: '#999' }} aria-label="Divider" /><P.Panel defaultSize={50}>Right pane</P.Panel></Group></div>
	<Tree initialData={[{ id: '1', name: 'Inbox' }, { id: '2', name: 'Rooms', children: [{ id: '3', name: 'Hall' }] }]} height={150} openByDefault={false} onSelect={n => { S.tree = n[0]?.data.name; }} />
	<div className="grid-stack" ref={e => { if (e && !S.grid) { S.grid = GridStack.init({ cellHeight: 60, column: 4 }, e); S.grid.load([{ id: 'x', x: 0, y: 0, w: 1, h: 1, content: 'Box one' }, { id: 'y', x: 2, y: 0, w: 1, h: 1, content: 'Box two' }]); e.querySelectorAll('.grid-stack-item').forEach((n, i) => { n.querySelector('.grid-stack-item-content').textContent = ['Box one', 'Box two'][i]; }); } }} /></div>);
