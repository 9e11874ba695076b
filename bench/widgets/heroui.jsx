import React from 'react';
import { createRoot } from 'react-dom/client';
import { parseDate } from '@internationalized/date';
import '../node_modules/@heroui/styles/dist/heroui.min.css';
import { Accordion, AlertDialog, Autocomplete, Button, Calendar, Checkbox, CheckboxGroup, Chip, CloseButton, ColorArea, ColorField, ColorPicker, ColorSlider, ColorSwatch, ComboBox, DateField, DatePicker, DateRangePicker, Description, Disclosure, Drawer, Dropdown, Input, InputOTP, Label, ListBox, Modal, NumberField, Pagination, Popover, Radio, RadioGroup, RangeCalendar, SearchField, Select, Slider, Switch, Table, Tabs, Tag, TagGroup, TextField, TimeField, Toast, ToggleButton, ToggleButtonGroup, Tooltip, toast } from '@heroui/react';
const S = window.S = {};
const states = ['Florida', 'Delaware', 'California', 'Texas', 'Vermont'];
const animals = ['Aardvark', 'Cat', 'Dog', 'Kangaroo', 'Panda'];
const Items = ({ of }) => <ListBox>{of.map(x => <ListBox.Item key={x} id={x.toLowerCase()} textValue={x}>{x}<ListBox.ItemIndicator /></ListBox.Item>)}</ListBox>;
function Multi() {
	const [v, set] = React.useState([]);
	S.multi = v;
	return <Select className="w-[256px]" placeholder="Select countries" selectionMode="multiple" value={v} onChange={set}><Label>Countries to Visit</Label><Select.Trigger><Select.Value /><Select.Indicator /></Select.Trigger><Select.Popover><ListBox selectionMode="multiple">{['Argentina', 'Venezuela', 'Japan', 'France'].map(x => <ListBox.Item key={x} id={x.toLowerCase()} textValue={x}>{x}<ListBox.ItemIndicator /></ListBox.Item>)}</ListBox></Select.Popover></Select>;
}
function Auto() {
	return <Autocomplete className="w-[256px]" placeholder="Select one" selectionMode="single" onChange={v => S.auto = v}><Label>Favourite animal</Label><Autocomplete.Trigger><Autocomplete.Value /><Autocomplete.ClearButton /><Autocomplete.Indicator /></Autocomplete.Trigger><Autocomplete.Popover><Autocomplete.Filter filter={(t, i) => t.toLowerCase().includes(i.toLowerCase())}><SearchField autoFocus name="search"><SearchField.Group><SearchField.SearchIcon /><SearchField.Input placeholder="Search animals..." /><SearchField.ClearButton /></SearchField.Group></SearchField><Items of={animals} /></Autocomplete.Filter></Autocomplete.Popover></Autocomplete>;
}
function Tags() {
	const [v, set] = React.useState(['News', 'Travel', 'Gaming']);
	S.tags = v;
	return <TagGroup selectionMode="single" onRemove={k => set(x => x.filter(y => !k.has(y)))}><Label>Topics</Label><TagGroup.List>{v.map(x => <Tag key={x} id={x}>{x}</Tag>)}</TagGroup.List></TagGroup>;
}
function Rows() {
	const [rows, set] = React.useState([['Tony', 'CEO'], ['Zoey', 'Lead'], ['Jane', 'Design']]);
	const [d, setD] = React.useState();
	S.rows = rows.map(x => x[0]).join();
	return <Table><Table.ScrollContainer><Table.Content aria-label="Team" selectionMode="multiple" onSelectionChange={k => S.sel = k === 'all' ? 'all' : [...k].join()} sortDescriptor={d} onSortChange={x => { setD(x); set([...rows].sort((a, b) => (a[0] < b[0] ? -1 : 1) * (x.direction === 'ascending' ? 1 : -1))); }}>
		<Table.Header><Table.Column><Checkbox aria-label="Select all" slot="selection"><Checkbox.Content><Checkbox.Control><Checkbox.Indicator /></Checkbox.Control></Checkbox.Content></Checkbox></Table.Column><Table.Column id="name" isRowHeader allowsSorting>Name</Table.Column><Table.Column id="role">Role</Table.Column><Table.Column>Actions</Table.Column></Table.Header>
		<Table.Body>{rows.map(r => <Table.Row key={r[0]} id={r[0]}><Table.Cell><Checkbox aria-label={'Select ' + r[0]} slot="selection"><Checkbox.Content><Checkbox.Control><Checkbox.Indicator /></Checkbox.Control></Checkbox.Content></Checkbox></Table.Cell><Table.Cell>{r[0]}</Table.Cell><Table.Cell>{r[1]}</Table.Cell><Table.Cell><Button isIconOnly size="sm" aria-label="Delete" onPress={() => set(rows.filter(x => x !== r))}>✕</Button></Table.Cell></Table.Row>)}</Table.Body></Table.Content></Table.ScrollContainer></Table>;
}
const Cal = () => <Calendar aria-label="Event date"><Calendar.Header><Calendar.YearPickerTrigger><Calendar.YearPickerTriggerHeading /><Calendar.YearPickerTriggerIndicator /></Calendar.YearPickerTrigger><Calendar.NavButton slot="previous" /><Calendar.NavButton slot="next" /></Calendar.Header><Calendar.Grid><Calendar.GridHeader>{d => <Calendar.HeaderCell>{d}</Calendar.HeaderCell>}</Calendar.GridHeader><Calendar.GridBody>{d => <Calendar.Cell date={d} />}</Calendar.GridBody></Calendar.Grid><Calendar.YearPickerGrid><Calendar.YearPickerGridBody>{({ year }) => <Calendar.YearPickerCell year={year} />}</Calendar.YearPickerGridBody></Calendar.YearPickerGrid></Calendar>;
const App = () => <div style={{ padding: 20, width: 600 }}>
	<Toast.Provider />
	<Select className="w-[256px]" placeholder="Select one" onChange={v => S.state = v}><Label>State</Label><Select.Trigger><Select.Value /><Select.Indicator /></Select.Trigger><Select.Popover><Items of={states} /></Select.Popover></Select>
	<Multi /><Auto />
	<ComboBox className="w-[256px]" onChange={v => S.animal = v}><Label>Animal</Label><ComboBox.InputGroup><Input placeholder="Search animals..." /><ComboBox.Trigger /></ComboBox.InputGroup><ComboBox.Popover><Items of={animals} /></ComboBox.Popover></ComboBox>
	<Dropdown><Button aria-label="Menu" variant="secondary">Actions</Button><Dropdown.Popover><Dropdown.Menu onAction={k => S.action = k}><Dropdown.Item id="new-file" textValue="New file"><Label>New file</Label></Dropdown.Item><Dropdown.Item id="copy-link" textValue="Copy link"><Label>Copy link</Label></Dropdown.Item><Dropdown.SubmenuTrigger><Dropdown.Item id="share" textValue="Share"><Label>Share</Label><Dropdown.SubmenuIndicator /></Dropdown.Item><Dropdown.Popover><Dropdown.Menu onAction={k => S.action = k}><Dropdown.Item id="mail" textValue="E-mail"><Label>E-mail</Label></Dropdown.Item></Dropdown.Menu></Dropdown.Popover></Dropdown.SubmenuTrigger></Dropdown.Menu></Dropdown.Popover></Dropdown>
	<Modal><Button variant="secondary">Open Modal</Button><Modal.Backdrop><Modal.Container><Modal.Dialog><Modal.CloseTrigger /><Modal.Header><Modal.Heading>Contact us</Modal.Heading></Modal.Header><Modal.Body><TextField onChange={v => S.mail = v} type="email"><Label>Email</Label><Input placeholder="Enter your email" /></TextField></Modal.Body><Modal.Footer><Button slot="close" variant="secondary">Cancel</Button><Button slot="close" onPress={() => S.sent = true}>Send Message</Button></Modal.Footer></Modal.Dialog></Modal.Container></Modal.Backdrop></Modal>
	<AlertDialog><Button variant="danger">Delete Project</Button><AlertDialog.Backdrop><AlertDialog.Container><AlertDialog.Dialog><AlertDialog.Header><AlertDialog.Heading>Delete project permanently?</AlertDialog.Heading></AlertDialog.Header><AlertDialog.Body><p>This cannot be undone.</p></AlertDialog.Body><AlertDialog.Footer><Button slot="close" variant="tertiary">Cancel</Button><Button slot="close" variant="danger" onPress={() => S.deleted = true}>Yes, delete</Button></AlertDialog.Footer></AlertDialog.Dialog></AlertDialog.Container></AlertDialog.Backdrop></AlertDialog>
	<Button onPress={() => toast('You have been invited to join a team', { description: 'Bob sent you an invitation', actionProps: { children: 'Dismiss', onPress: () => S.dismissed = true } })}>Show toast</Button>
	<DatePicker className="w-64" defaultValue={parseDate('2026-03-10')} onChange={v => S.day = v?.toString()}><Label>Date</Label><DateField.Group fullWidth><DateField.Input>{s => <DateField.Segment segment={s} />}</DateField.Input><DateField.Suffix><DatePicker.Trigger><DatePicker.TriggerIndicator /></DatePicker.Trigger></DateField.Suffix></DateField.Group><DatePicker.Popover><Cal /></DatePicker.Popover></DatePicker>
	<TimeField onChange={v => S.time = v?.toString()}><Label>Time</Label><TimeField.Group><TimeField.Input>{s => <TimeField.Segment segment={s} />}</TimeField.Input></TimeField.Group></TimeField>
	<Slider className="w-64" defaultValue={30} onChange={v => S.vol = v}><Label>Volume</Label><Slider.Output /><Slider.Track><Slider.Fill /><Slider.Thumb /></Slider.Track></Slider>
	<Switch onChange={v => S.notify = v}><Switch.Content><Label>Enable notifications</Label></Switch.Content><Switch.Control><Switch.Thumb /></Switch.Control></Switch>
	<CheckboxGroup onChange={v => S.interests = v.join()}><Label>Select your interests</Label><Checkbox value="coding"><Checkbox.Content><Checkbox.Control><Checkbox.Indicator /></Checkbox.Control>Coding</Checkbox.Content></Checkbox><Checkbox value="design"><Checkbox.Content><Checkbox.Control><Checkbox.Indicator /></Checkbox.Control>Design</Checkbox.Content></Checkbox></CheckboxGroup>
	<RadioGroup defaultValue="basic" onChange={v => S.plan = v}><Label>Plan selection</Label><Radio value="basic"><Radio.Content><Radio.Control><Radio.Indicator /></Radio.Control>Basic Plan</Radio.Content></Radio><Radio value="premium"><Radio.Content><Radio.Control><Radio.Indicator /></Radio.Control>Premium Plan</Radio.Content></Radio></RadioGroup>
	<NumberField defaultValue={1024} minValue={0} onChange={v => S.width = v}><Label>Width</Label><NumberField.Group><NumberField.DecrementButton /><NumberField.Input /><NumberField.IncrementButton /></NumberField.Group></NumberField>
	<InputOTP maxLength={6} onComplete={v => S.otp = v}><InputOTP.Group>{[0, 1, 2].map(i => <InputOTP.Slot key={i} index={i} />)}</InputOTP.Group><InputOTP.Separator /><InputOTP.Group>{[3, 4, 5].map(i => <InputOTP.Slot key={i} index={i} />)}</InputOTP.Group></InputOTP>
	<Tags /><Rows />
	<Tabs><Tabs.ListContainer><Tabs.List aria-label="Options"><Tabs.Tab id="overview">Overview<Tabs.Indicator /></Tabs.Tab><Tabs.Tab id="analytics">Analytics<Tabs.Indicator /></Tabs.Tab></Tabs.List></Tabs.ListContainer><Tabs.Panel id="overview">View your project overview.</Tabs.Panel><Tabs.Panel id="analytics">Track your metrics.</Tabs.Panel></Tabs>
	<Accordion><Accordion.Item><Accordion.Heading><Accordion.Trigger>How do I place an order?<Accordion.Indicator /></Accordion.Trigger></Accordion.Heading><Accordion.Panel><Accordion.Body>Browse our products and check out.</Accordion.Body></Accordion.Panel></Accordion.Item></Accordion>
	<Tooltip delay={0}><Button variant="secondary">Hover me</Button><Tooltip.Content><p>This is a tooltip</p></Tooltip.Content></Tooltip>
	<Popover><Button>Click me</Button><Popover.Content><Popover.Dialog><Popover.Heading>Popover Title</Popover.Heading><p>This is the popover content.</p></Popover.Dialog></Popover.Content></Popover>
	<ColorPicker defaultValue="#0485F7" onChange={c => S.colour = c.toString('hex')}><ColorPicker.Trigger><ColorSwatch size="lg" /><Label>Pick a color</Label></ColorPicker.Trigger><ColorPicker.Popover><ColorArea aria-label="Color area" colorSpace="hsb" xChannel="saturation" yChannel="brightness"><ColorArea.Thumb /></ColorArea><ColorSlider aria-label="Hue slider" channel="hue" colorSpace="hsb"><ColorSlider.Track><ColorSlider.Thumb /></ColorSlider.Track></ColorSlider></ColorPicker.Popover></ColorPicker>
</div>;
createRoot(document.getElementById('root')).render(<App />);
