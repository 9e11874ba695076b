import React from 'react';
import { createRoot } from 'react-dom/client';
import { DragDropContext, Droppable, Draggable } from '@hello-pangea/dnd';
const S = window.S = {};
function App() {
	const [cols, set] = React.useState({ Todo: ['Paint', 'Sand'], Done: ['Plan'] });
	S.cols = cols;
	const end = r => { if (!r.destination) return; const c = structuredClone(cols); const [x] = c[r.source.droppableId].splice(r.source.index, 1); c[r.destination.droppableId].splice(r.destination.index, 0, x); set(c); };
	return <DragDropContext onDragEnd={end}><div style={{ display: 'flex', gap: 20 }}>{Object.entries(cols).map(([name, items]) => <Droppable key={name} droppableId={name}>{p => <div ref={p.innerRef} {...p.droppableProps} style={{ width: 200, minHeight: 200, background: '#eee' }}><h3>{name}</h3>{items.map((x, i) => <Draggable key={x} draggableId={x} index={i}>{p => <div ref={p.innerRef} {...p.draggableProps} {...p.dragHandleProps} style={{ padding: 8, background: '#fff', ...p.draggableProps.style }}>{x}</div>}</Draggable>)}{p.placeholder}</div>}</Droppable>)}</div></DragDropContext>;
}
createRoot(document.getElementById('root')).render(<App />);
