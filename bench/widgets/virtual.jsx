import React from 'react';
import { createRoot } from 'react-dom/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { List } from 'react-window';
import { Virtuoso } from 'react-virtuoso';
const S = window.S = {};
function Tan() {
	const ref = React.useRef(null);
	const v = useVirtualizer({ count: 500, getScrollElement: () => ref.current, estimateSize: () => 30 });
	return <div ref={ref} aria-label="Tan" role="region" style={{ height: 150, overflow: 'auto' }}><div style={{ height: v.getTotalSize(), position: 'relative' }}>{v.getVirtualItems().map(i => <button key={i.key} onClick={() => S.tan = i.index} style={{ position: 'absolute', top: 0, transform: `translateY(${i.start}px)` }}>Tan row {i.index}</button>)}</div></div>;
}
const Row = ({ index, style }) => <div style={style}><button onClick={() => S.win = index}>Window row {index}</button></div>;
createRoot(document.getElementById('root')).render(<div><Tan />
	<List rowComponent={Row} rowCount={500} rowHeight={30} rowProps={{}} style={{ height: 150 }} />
	<Virtuoso style={{ height: 150 }} totalCount={500} itemContent={i => <button onClick={() => S.vir = i}>Virtuoso row {i}</button>} /></div>);
