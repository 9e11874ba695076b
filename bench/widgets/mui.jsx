import React from 'react';
import { createRoot } from 'react-dom/client';
import { Autocomplete, Button, Dialog, DialogActions, DialogContent, DialogTitle, FormControl, FormControlLabel, InputLabel, Menu, MenuItem, Rating, Select, Slider, Snackbar, Switch, Tab, Tabs, TextField, Tooltip, Accordion, AccordionSummary, AccordionDetails, Checkbox, Chip } from '@mui/material';

const S = window.S = {};
function App() {
	const [size, setSize] = React.useState('');
	const [anchor, setAnchor] = React.useState(null);
	const [open, setOpen] = React.useState(false);
	const [toast, setToast] = React.useState(false);
	const [tab, setTab] = React.useState(0);
	const [tags, setTags] = React.useState(['red', 'blue']);
	S.size = size; S.tab = tab; S.open = open; S.tags = tags;
	return <div style={{ padding: 20, width: 600 }}>
		<FormControl fullWidth><InputLabel id="s">Size</InputLabel>
			<Select labelId="s" label="Size" value={size} onChange={e => setSize(e.target.value)}>{['Small', 'Medium', 'Large'].map(x => <MenuItem key={x} value={x}>{x}</MenuItem>)}</Select></FormControl>
		<Autocomplete options={['France', 'Finland', 'Fiji', 'Greece']} onChange={(_, v) => S.country = v} renderInput={p => <TextField {...p} label="Country" />} />
		<Autocomplete multiple options={['Ada', 'Bea', 'Eve']} onChange={(_, v) => S.people = v} renderInput={p => <TextField {...p} label="People" />} />
		<Slider aria-label="Volume" defaultValue={30} onChange={(_, v) => S.volume = v} />
		<Slider getAriaLabel={i => i ? 'Most' : 'Least'} defaultValue={[20, 60]} onChange={(_, v) => S.range = v} />
		<Rating name="stars" onChange={(_, v) => S.stars = v} />
		<FormControlLabel control={<Switch onChange={e => S.wifi = e.target.checked} />} label="Wi-Fi" />
		<FormControlLabel control={<Checkbox onChange={e => S.agree = e.target.checked} />} label="Agree" />
		<Button onClick={e => setAnchor(e.currentTarget)}>Actions</Button>
		<Menu open={!!anchor} anchorEl={anchor} onClose={() => setAnchor(null)}>{['Copy', 'Archive', 'Delete'].map(x => <MenuItem key={x} onClick={() => { S.action = x; setAnchor(null); }}>{x}</MenuItem>)}</Menu>
		<Button onClick={() => setOpen(true)}>Open dialog</Button>
		<Dialog open={open} onClose={() => setOpen(false)}><DialogTitle>Really?</DialogTitle><DialogContent>It is for ever.</DialogContent><DialogActions><Button onClick={() => { S.opened = true; setOpen(false); }}>Close</Button></DialogActions></Dialog>
		<Button onClick={() => setToast(true)}>Save</Button><Snackbar open={toast} message="Note archived" autoHideDuration={6000} onClose={() => setToast(false)} />
		<Tooltip title="Removes everything"><Button>Purge</Button></Tooltip>
		<Tabs value={tab} onChange={(_, v) => setTab(v)}><Tab label="One" /><Tab label="Two" /><Tab label="Three" /></Tabs>
		<Accordion><AccordionSummary>Shipping</AccordionSummary><AccordionDetails>Takes nine days</AccordionDetails></Accordion>
		{tags.map(t => <Chip key={t} label={t} onDelete={() => setTags(tags.filter(x => x !== t))} />)}
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
