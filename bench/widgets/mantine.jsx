import React from 'react';
import { createRoot } from 'react-dom/client';
import { MantineProvider, Autocomplete, Button, Checkbox, Drawer, Menu, Modal, MultiSelect, NumberInput, Pagination, PinInput, Rating, SegmentedControl, Select, Slider, Switch, TagsInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
const S = window.S = {};
function App() {
	const [open, setOpen] = React.useState(false);
	S.open = open;
	return <MantineProvider><div style={{ padding: 20, width: 500 }}>
		<Select label="Library" data={['React', 'Angular', 'Vue']} onChange={v => S.lib = v} searchable />
		<MultiSelect label="Skills" data={['Go', 'Rust', 'C']} onChange={v => S.skills = v} />
		<Autocomplete label="Town" data={['Kiel', 'Köln']} onChange={v => S.town = v} />
		<TagsInput label="Tags" onChange={v => S.tags = v} />
		<DatePickerInput label="Day" defaultValue="2026-03-10" onChange={v => S.day = v} />
		<NumberInput label="Count" defaultValue={1} onChange={v => S.count = v} />
		<PinInput aria-label="Pin" onChange={v => S.pin = v} />
		<Slider label={null} thumbLabel="Depth" defaultValue={10} onChange={v => S.depth = v} />
		<Switch label="Sync" onChange={e => S.sync = e.currentTarget.checked} />
		<Checkbox label="Terms" onChange={e => S.terms = e.currentTarget.checked} />
		<Rating onChange={v => S.stars = v} />
		<SegmentedControl data={['Preview', 'Code']} onChange={v => S.view = v} />
		<Pagination total={10} onChange={v => S.page = v} />
		<Menu><Menu.Target><Button>Menu</Button></Menu.Target><Menu.Dropdown><Menu.Item onClick={() => S.item = 'search'}>Search</Menu.Item></Menu.Dropdown></Menu>
		<Button onClick={() => setOpen(true)}>Open modal</Button><Modal opened={open} onClose={() => setOpen(false)} title="Sign in">With a password</Modal>
	</div></MantineProvider>;
}
createRoot(document.getElementById('root')).render(<App />);
