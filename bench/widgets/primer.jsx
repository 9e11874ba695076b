import React from 'react';
import { createRoot } from 'react-dom/client';
import '@primer/primitives/dist/css/functional/themes/light.css';
import { ThemeProvider, BaseStyles, ActionMenu, ActionList, SelectPanel, Dialog, Button, Autocomplete, FormControl, Checkbox, Radio, RadioGroup, ToggleSwitch, TextInput, TextInputWithTokens, UnderlineNav, TreeView, SegmentedControl, Select, Tooltip, IconButton, Pagination, Banner, Details } from '@primer/react';
const S = window.S = {};
const items = ['enhancement', 'bug', 'good first issue', 'design', 'docs'].map((text, id) => ({ text, id }));
function Panel() {
	const [open, setOpen] = React.useState(false), [selected, setSelected] = React.useState([]), [filter, setFilter] = React.useState('');
	S.labels = selected.map(x => x.text);
	return <SelectPanel title="Select labels" placeholderText="Filter labels" open={open} onOpenChange={setOpen} items={items.filter(x => x.text.includes(filter))} selected={selected} onSelectedChange={setSelected} onFilterChange={setFilter} renderAnchor={p => <Button {...p}>Labels</Button>} />;
}
function App() {
	const [on, setOn] = React.useState(false), [open, setOpen] = React.useState(false), [seg, setSeg] = React.useState(0), [tokens, setTokens] = React.useState([{ text: 'zero', id: 0 }, { text: 'one', id: 1 }]), [page, setPage] = React.useState(1), [sort, setSort] = React.useState('Newest');
	Object.assign(S, { on, seg, tokens: tokens.map(t => t.text), page, sort });
	return <ThemeProvider><BaseStyles><div style={{ padding: 20, width: 700 }}>
		<ActionMenu><ActionMenu.Button>Open menu</ActionMenu.Button><ActionMenu.Overlay><ActionList><ActionList.Item onSelect={() => { S.act = 'copy'; }}>Copy link</ActionList.Item><ActionList.Item onSelect={() => { S.act = 'quote'; }}>Quote reply</ActionList.Item><ActionList.Divider /><ActionList.Item variant="danger" onSelect={() => { S.act = 'delete'; }}>Delete file</ActionList.Item></ActionList></ActionMenu.Overlay></ActionMenu>
		<ActionMenu><ActionMenu.Button>Sort by {sort}</ActionMenu.Button><ActionMenu.Overlay><ActionList selectionVariant="single">{['Newest', 'Oldest', 'Most commented'].map(x => <ActionList.Item key={x} selected={x === sort} onSelect={() => setSort(x)}>{x}</ActionList.Item>)}</ActionList></ActionMenu.Overlay></ActionMenu>
		<Panel />
		<Button onClick={() => setOpen(true)}>Show dialog</Button>
		{open && <Dialog title="Delete 3 boats?" subtitle="They cannot be brought back" onClose={() => setOpen(false)} footerButtons={[{ content: 'Cancel', onClick: () => setOpen(false) }, { content: 'Yes, delete', buttonType: 'danger', onClick: () => { S.gone = true; setOpen(false); } }]}>Ann, Bo and Cy will go.</Dialog>}
		<FormControl><FormControl.Label>Branch</FormControl.Label><Autocomplete><Autocomplete.Input onChange={e => { S.branch = e.target.value; }} /><Autocomplete.Overlay><Autocomplete.Menu aria-labelledby="x" items={['main', 'feature', 'release'].map((text, i) => ({ text, id: '' + i }))} selectedItemIds={[]} onSelectedChange={x => { S.picked = x && x.map ? x.map(y => y.text) : x; }} /></Autocomplete.Overlay></Autocomplete></FormControl>
		<FormControl><FormControl.Label>Default label</FormControl.Label><Select><Select.Option value="one">Choice one</Select.Option><Select.Option value="two">Choice two</Select.Option></Select></FormControl>
		<FormControl><Checkbox /><FormControl.Label>Accept</FormControl.Label><FormControl.Caption>Read first</FormControl.Caption></FormControl>
		<RadioGroup name="r" onChange={v => { S.radio = v; }}><RadioGroup.Label>Colour</RadioGroup.Label><FormControl><Radio value="r" /><FormControl.Label>Red</FormControl.Label></FormControl><FormControl><Radio value="b" /><FormControl.Label>Blue</FormControl.Label></FormControl></RadioGroup>
		<span id="tl">Notifications</span><ToggleSwitch aria-labelledby="tl" checked={on} onClick={() => setOn(!on)} />
		<FormControl><FormControl.Label>Tokens</FormControl.Label><TextInputWithTokens tokens={tokens} onTokenRemove={id => setTokens(tokens.filter(t => t.id !== id))} /></FormControl>
		<FormControl><FormControl.Label>Email</FormControl.Label><TextInput trailingAction={<TextInput.Action onClick={() => { S.cleared = true; }} icon={() => <span>x</span>} aria-label="Clear input" />} /></FormControl>
		<SegmentedControl aria-label="File view" onChange={setSeg}><SegmentedControl.Button selected={seg === 0}>Preview</SegmentedControl.Button><SegmentedControl.Button selected={seg === 1}>Raw</SegmentedControl.Button><SegmentedControl.Button selected={seg === 2}>Blame</SegmentedControl.Button></SegmentedControl>
		<TreeView aria-label="Files"><TreeView.Item id="src">src<TreeView.SubTree><TreeView.Item id="a" onSelect={() => { S.file = 'Avatar'; }}>Avatar.tsx</TreeView.Item><TreeView.Item id="b" onSelect={() => { S.file = 'Button'; }}>Button.tsx</TreeView.Item></TreeView.SubTree></TreeView.Item><TreeView.Item id="pkg" onSelect={() => { S.file = 'package'; }}>package.json</TreeView.Item></TreeView>
		<Pagination pageCount={9} currentPage={page} onPageChange={(e, n) => { e.preventDefault(); setPage(n); }} />
		<Tooltip text="This is a tip"><Button>Hover here</Button></Tooltip>
		<Banner title="Update ready" description="Version 2 is here" onDismiss={() => { S.dismissed = true; }} primaryAction={<Banner.PrimaryAction onClick={() => { S.updated = true; }}>Update now</Banner.PrimaryAction>} />
	</div></BaseStyles></ThemeProvider>;
}
createRoot(document.getElementById('root')).render(<App />);
