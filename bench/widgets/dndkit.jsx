import React from 'react';
import { createRoot } from 'react-dom/client';
import { DndContext, closestCenter } from '@dnd-kit/core';
import { SortableContext, arrayMove, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
const S = window.S = {};
function Item({ id }) {
	const s = useSortable({ id });
	return <div ref={s.setNodeRef} style={{ transform: CSS.Transform.toString(s.transform), transition: s.transition, padding: 10, border: '1px solid' }} {...s.attributes} {...s.listeners}>{id}</div>;
}
function App() {
	const [items, set] = React.useState(['Milk', 'Bread', 'Eggs', 'Tea']);
	S.items = items;
	return <DndContext collisionDetection={closestCenter} onDragEnd={({ active, over }) => over && set(x => arrayMove(x, x.indexOf(active.id), x.indexOf(over.id)))}><SortableContext items={items} strategy={verticalListSortingStrategy}>{items.map(i => <Item key={i} id={i} />)}</SortableContext></DndContext>;
}
createRoot(document.getElementById('root')).render(<App />);
