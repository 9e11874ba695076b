import React from 'react';
import { createRoot } from 'react-dom/client';
import { ControlledMenu, FocusableItem, Menu, MenuButton, MenuItem, MenuRadioGroup, SubMenu, MenuDivider } from '@szhsin/react-menu';
import '@szhsin/react-menu/dist/index.css';
import '@szhsin/react-menu/dist/transitions/zoom.css';
const S = window.S = {};
function App() {
	const [size, setSize] = React.useState('small'), [bold, setBold] = React.useState(false), [point, setPoint] = React.useState(null), [find, setFind] = React.useState('');
	S.size = size; S.bold = bold;
	return <div style={{ padding: 60 }}>
		<Menu menuButton={<MenuButton>Boat</MenuButton>} transition><MenuItem onClick={() => { S.did = 'paint'; }}>Paint</MenuItem>
			<SubMenu label="Move"><MenuItem onClick={() => { S.did = 'dock'; }}>To the dock</MenuItem><MenuItem onClick={() => { S.did = 'sea'; }}>To sea</MenuItem></SubMenu><MenuDivider />
			<MenuItem disabled>Sink</MenuItem></Menu>
		<Menu menuButton={<MenuButton>Text</MenuButton>} transition><MenuRadioGroup value={size} onRadioChange={e => setSize(e.value)}><MenuItem type="radio" value="small">Small</MenuItem><MenuItem type="radio" value="large">Large</MenuItem></MenuRadioGroup><MenuItem type="checkbox" checked={bold} onClick={e => setBold(e.checked)}>Bold</MenuItem></Menu>
		<Menu menuButton={<MenuButton>Harbours</MenuButton>} transition><FocusableItem>{({ ref }) => <input ref={ref} placeholder="Find a harbour" value={find} onChange={e => setFind(e.target.value)} />}</FocusableItem>{['Oslo', 'Lima', 'Linz'].filter(t => t.toLowerCase().includes(find.toLowerCase())).map(t => <MenuItem key={t} onClick={() => { S.harbour = t; }}>{t}</MenuItem>)}</Menu>
		<div style={{ marginTop: 200, border: '1px solid #888', width: 200, padding: 20 }} onContextMenu={e => { e.preventDefault(); setPoint({ x: e.clientX, y: e.clientY }); }}>Right here</div>
		<ControlledMenu anchorPoint={point} state={point ? 'open' : 'closed'} direction="right" onClose={() => setPoint(null)}><MenuItem onClick={() => { S.did = 'copy'; }}>Copy</MenuItem></ControlledMenu>
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
