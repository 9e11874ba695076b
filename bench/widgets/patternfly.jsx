import React from 'react';
import { createRoot } from 'react-dom/client';
import '@patternfly/react-core/dist/styles/base.css';
import { Select, SelectOption, SelectList, MenuToggle, DatePicker, TimePicker, Modal, ModalHeader, ModalBody, ModalFooter, Button, Slider, Switch, Dropdown, DropdownList, DropdownItem, Tabs, Tab, TabTitleText, ExpandableSection, NumberInput, Checkbox, Radio, TextInput, Wizard, WizardStep, FormGroup, SearchInput, TreeView, DualListSelector, CalendarMonth } from '@patternfly/react-core';
const S = window.S = {};
function Town() {
	const [open, set] = React.useState(false), [v, pick] = React.useState('');
	return <FormGroup label="Town"><Select isOpen={open} selected={v} onOpenChange={set} onSelect={(e, v) => { S.town = v; pick(v); set(false); }} toggle={ref => <MenuToggle ref={ref} onClick={() => set(!open)} isExpanded={open}>{v || 'Choose a town'}</MenuToggle>}><SelectList>{['Oslo', 'Lima', 'Linz'].map(t => <SelectOption key={t} value={t}>{t}</SelectOption>)}</SelectList></Select></FormGroup>;
}
function App() {
	const [open, show] = React.useState(false), [menu, setMenu] = React.useState(false), [tab, setTab] = React.useState(0), [volume, setVolume] = React.useState(20), [n, setN] = React.useState(1), [on, setOn] = React.useState(false), [pay, setPay] = React.useState(''), [agree, setAgree] = React.useState(false);
	return <div style={{ padding: 20, width: 600 }}>
		<Town />
		<FormGroup label="Day"><DatePicker value="2026-03-10" onChange={(e, v) => { S.day = v; }} /></FormGroup>
		<FormGroup label="Time"><TimePicker time="3:35 AM" is24Hour={false} onChange={(e, v) => { S.time = v; }} /></FormGroup>
		<Button onClick={() => show(true)}>Drop boat</Button><Modal isOpen={open} onClose={() => show(false)} variant="small"><ModalHeader title="Delete the boat?" /><ModalBody>It cannot be brought back.</ModalBody><ModalFooter><Button onClick={() => { S.gone = true; show(false); }}>Delete</Button><Button onClick={() => show(false)}>Keep</Button></ModalFooter></Modal>
		<FormGroup label="Volume"><Slider value={volume} onChange={(e, v) => { S.volume = v; setVolume(v); }} /></FormGroup>
		<Switch label="Wake me" isChecked={on} onChange={(e, v) => { S.on = v; setOn(v); }} />
		<Dropdown isOpen={menu} onOpenChange={setMenu} onSelect={(e, v) => { S.item = v; setMenu(false); }} toggle={ref => <MenuToggle ref={ref} variant="plain" aria-label="Actions" onClick={() => setMenu(!menu)}>⋮</MenuToggle>}><DropdownList><DropdownItem value="copy">Copy</DropdownItem><DropdownItem value="paste">Paste</DropdownItem></DropdownList></Dropdown>
		<Tabs activeKey={tab} onSelect={(e, k) => setTab(k)}><Tab eventKey={0} title={<TabTitleText>One</TabTitleText>}>First panel</Tab><Tab eventKey={1} title={<TabTitleText>Two</TabTitleText>}>Second panel</Tab></Tabs>
		<ExpandableSection toggleText="More">Hidden treasure</ExpandableSection>
		<NumberInput value={n} onMinus={() => setN(n - 1)} onPlus={() => { S.count = n + 1; setN(n + 1); }} onChange={e => { S.count = +e.target.value; setN(+e.target.value); }} inputAriaLabel="Boats" minusBtnAriaLabel="fewer" plusBtnAriaLabel="more" />
		<Checkbox id="c" label="Agree" isChecked={agree} onChange={(e, v) => { S.agree = v; setAgree(v); }} /><Radio id="r1" name="p" label="Cash" isChecked={pay === 'cash'} onChange={() => setPay('cash')} /><Radio id="r2" name="p" label="Card" isChecked={pay === 'card'} onChange={() => { S.pay = 'card'; setPay('card'); }} />
		<TreeView data={[{ name: 'Europe', id: 'eu', children: [{ name: 'Norway', id: 'no' }] }, { name: 'Asia', id: 'as' }]} onSelect={(e, item) => { S.place = item.id; }} />
		<Wizard height={200} onSave={() => { S.saved = true; }}><WizardStep name="Who" id="w1">Step one</WizardStep><WizardStep name="Where" id="w2" footer={{ nextButtonText: 'Finish' }}>Step two</WizardStep></Wizard>
		<DualListSelector isSearchable availableOptions={['Salt', 'Tea']} chosenOptions={[]} />
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
