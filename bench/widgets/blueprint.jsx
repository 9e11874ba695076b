import React from 'react';
import { createRoot } from 'react-dom/client';
import { Button, Checkbox, Dialog, DialogBody, InputGroup, Menu, MenuItem, NumericInput, Popover, Slider, Switch, Tab, Tabs, Tree } from '@blueprintjs/core';
import { Select } from '@blueprintjs/select';
import '@blueprintjs/core/lib/css/blueprint.css';
const S = window.S = {};
function App() { const [open, setOpen] = React.useState(false), [v, setV] = React.useState(3), [c, setC] = React.useState('None'); S.volume = v; S.colour = c; S.open = open;
	return <div style={{ padding: 20, width: 400 }}><Select items={['Red', 'Green', 'Blue']} itemPredicate={(q, x) => x.toLowerCase().includes(q.toLowerCase())} itemRenderer={(x, { handleClick, handleFocus, modifiers, ref }) => <MenuItem key={x} ref={ref} text={x} roleStructure="listoption" active={modifiers.active} onClick={handleClick} onFocus={handleFocus} />} onItemSelect={setC}><Button text={c} rightIcon="caret" /></Select>
		<Popover content={<Menu><MenuItem text="Copy" onClick={() => { S.item = 'copy'; }} /><MenuItem text="More"><MenuItem text="Paste" onClick={() => { S.item = 'paste'; }} /></MenuItem></Menu>}><Button text="Edit" /></Popover>
		<Slider min={0} max={10} stepSize={1} labelStepSize={5} value={v} onChange={setV} handleHtmlProps={{ 'aria-label': 'Volume' }} /><Switch label="Power" onChange={e => { S.on = e.target.checked; }} /><Checkbox label="Agree" onChange={e => { S.agree = e.target.checked; }} /><NumericInput aria-label="Count" onValueChange={n => { S.count = n; }} />
		<Button text="Open dialog" onClick={() => setOpen(true)} /><Dialog isOpen={open} title="Terms" onClose={() => setOpen(false)}><DialogBody>Read them <Button text="Accept" onClick={() => { S.ok = true; setOpen(false); }} /></DialogBody></Dialog>
		<Tabs id="t"><Tab id="a" title="One" panel={<p>First panel</p>} /><Tab id="b" title="Two" panel={<p>Second panel</p>} /></Tabs><Tree contents={[{ id: 1, label: 'Folder', hasCaret: true }]} onNodeExpand={n => { S.node = n.label; }} /></div>; }
createRoot(document.getElementById('root')).render(<App />);
