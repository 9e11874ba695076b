import React from 'react';
import { createRoot } from 'react-dom/client';
import GridLayout, * as GL from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { Rnd } from 'react-rnd';
const S = window.S = {};
const layout = [{ i: 'Sales', x: 0, y: 0, w: 2, h: 2 }, { i: 'Visits', x: 2, y: 0, w: 2, h: 2 }, { i: 'Costs', x: 4, y: 0, w: 2, h: 2 }, { i: 'Fixed', x: 6, y: 0, w: 2, h: 2, static: true }];
function Box() {
	const [b, set] = React.useState({ x: 40, y: 20, width: 200, height: 100 });
	S.box = b;
	return <Rnd style={{ border: '1px solid #888', background: '#f0f0f0' }} size={{ width: b.width, height: b.height }} position={{ x: b.x, y: b.y }} onDragStop={(e, d) => set({ ...b, x: d.x, y: d.y })} onResizeStop={(e, dir, ref, delta, pos) => set({ width: ref.offsetWidth, height: ref.offsetHeight, ...pos })}>Rnd box</Rnd>;
}
function Handle() {
	const [b, set] = React.useState({ x: 320, y: 20 });
	S.win = b;
	return <Rnd style={{ border: '1px solid #888', background: '#fff' }} size={{ width: 200, height: 100 }} position={b} dragHandleClassName="bar" onDragStop={(e, d) => set({ x: d.x, y: d.y })}><div className="bar" style={{ background: '#ddd', cursor: 'move' }}>Title bar</div><p>Window body</p></Rnd>;
}
const App = () => <div style={{ padding: 20, width: 820 }}>
	<GridLayout className="layout" layout={layout} width={800} gridConfig={{ cols: 12, rowHeight: 30 }} cols={12} rowHeight={30} onLayoutChange={l => S.layout = Object.fromEntries(l.map(x => [x.i, x]))}>{layout.map(x => <div key={x.i} style={{ background: '#cde', border: '1px solid #89a' }}>{x.i}</div>)}</GridLayout>
	<div style={{ position: 'relative', height: 400 }}><Box /><Handle /></div>
</div>;
createRoot(document.getElementById('root')).render(<App />);
