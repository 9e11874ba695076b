import React from 'react';
import { createRoot } from 'react-dom/client';
import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Dialog, DialogPanel, DialogTitle, Disclosure, DisclosureButton, DisclosurePanel, Field, Label, Listbox, ListboxButton, ListboxOption, ListboxOptions, Menu, MenuButton, MenuItem, MenuItems, RadioGroup, Radio, Switch, Tab, TabGroup, TabList, TabPanel, TabPanels } from '@headlessui/react';
const S = window.S = {};
const names = ['Ada', 'Bea', 'Eve', 'Zoe'];
function App() {
	const [who, setWho] = React.useState(names[0]), [found, setFound] = React.useState(null), [q, setQ] = React.useState(''), [open, setOpen] = React.useState(false), [on, setOn] = React.useState(false), [plan, setPlan] = React.useState('Free');
	Object.assign(S, { who, found, open, on, plan });
	return <div style={{ padding: 20 }}>
		<Listbox value={who} onChange={setWho}><ListboxButton>{who}</ListboxButton><ListboxOptions anchor="bottom" style={{ background: '#fff' }}>{names.map(n => <ListboxOption key={n} value={n}>{n}</ListboxOption>)}</ListboxOptions></Listbox>
		<Combobox value={found} onChange={setFound} onClose={() => setQ('')}><ComboboxInput aria-label="Assignee" onChange={e => setQ(e.target.value)} /><ComboboxOptions anchor="bottom" style={{ background: '#fff' }}>{names.filter(n => n.toLowerCase().includes(q.toLowerCase())).map(n => <ComboboxOption key={n} value={n}>{n}</ComboboxOption>)}</ComboboxOptions></Combobox>
		<Menu><MenuButton>Account</MenuButton><MenuItems anchor="bottom" style={{ background: '#fff' }}><MenuItem><button onClick={() => S.action = 'settings'}>Settings</button></MenuItem><MenuItem><button onClick={() => S.action = 'out'}>Sign out</button></MenuItem></MenuItems></Menu>
		<Field><Label>Notifications</Label><Switch checked={on} onChange={setOn} style={{ width: 40, height: 20, background: '#999' }} /></Field>
		<RadioGroup value={plan} onChange={setPlan} aria-label="Plan">{['Free', 'Team'].map(p => <Field key={p}><Radio value={p} style={{ width: 16, height: 16, background: '#ccc', display: 'inline-block' }} /><Label>{p}</Label></Field>)}</RadioGroup>
		<button onClick={() => setOpen(true)}>Deactivate</button><Dialog open={open} onClose={() => setOpen(false)}><div style={{ position: 'fixed', inset: 0 }}><DialogPanel style={{ background: '#fff' }}><DialogTitle>Deactivate account</DialogTitle><button onClick={() => { S.gone = true; setOpen(false); }}>Yes</button></DialogPanel></div></Dialog>
		<Disclosure><DisclosureButton>Refunds?</DisclosureButton><DisclosurePanel>Within thirty days</DisclosurePanel></Disclosure>
		<TabGroup><TabList><Tab>Recent</Tab><Tab>Popular</Tab></TabList><TabPanels><TabPanel>New ones</TabPanel><TabPanel>Old ones</TabPanel></TabPanels></TabGroup>
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
