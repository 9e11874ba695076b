import React from 'react';
import { createRoot } from 'react-dom/client';
import 'semantic-ui-css/semantic.min.css';
import { Accordion, Button, Checkbox, Confirm, Dropdown, Form, Header, Icon, Input, Label, Menu, Modal, Pagination, Popup, Radio, Rating, Search, Select, Sidebar, Step, Tab, Table } from 'semantic-ui-react';
const S = window.S = {};
const friends = ['Jenny Hess', 'Elliot Fu', 'Stevie Feliciano', 'Christian', 'Matt'].map(x => ({ key: x, text: x, value: x, image: { avatar: true, src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } }));
const countries = ['Afghanistan', 'Albania', 'Algeria', 'Andorra', 'Angola', 'Austria', 'Belgium'].map(x => ({ key: x, value: x, flag: x.slice(0, 2).toLowerCase(), text: x }));
const options = ['Angular', 'CSS', 'HTML', 'Ember', 'Javascript'].map(x => ({ key: x, text: x, value: x.toLowerCase() }));
function ModalBox() {
	const [open, set] = React.useState(false);
	return <Modal onClose={() => set(false)} onOpen={() => set(true)} open={open} trigger={<Button>Show Modal</Button>}><Modal.Header>Select a Photo</Modal.Header><Modal.Content><Modal.Description><p>We have found your gravatar.</p></Modal.Description></Modal.Content><Modal.Actions><Button color="black" onClick={() => set(false)}>Nope</Button><Button content="Yep, that's me" labelPosition="right" icon="checkmark" onClick={() => { S.photo = true; set(false); }} positive /></Modal.Actions></Modal>;
}
function Ask() {
	const [open, set] = React.useState(false);
	return <><Button onClick={() => set(true)}>Delete all</Button><Confirm open={open} onCancel={() => set(false)} onConfirm={() => { S.confirmed = true; set(false); }} /></>;
}
function Faq() {
	const [i, set] = React.useState(-1);
	return <Accordion>{['What is a dog?', 'What kinds of dogs are there?'].map((q, k) => <React.Fragment key={k}><Accordion.Title active={i === k} index={k} onClick={() => set(i === k ? -1 : k)}><Icon name="dropdown" />{q}</Accordion.Title><Accordion.Content active={i === k}><p>{['A dog is a type of domesticated animal.', 'There are many breeds of dogs.'][k]}</p></Accordion.Content></React.Fragment>)}</Accordion>;
}
function SearchBox() {
	const [v, set] = React.useState(''), [r, setR] = React.useState([]), [loading, load] = React.useState(false);
	return <Search loading={loading} placeholder="Search..." value={v} results={r} onResultSelect={(e, d) => { set(d.result.title); S.found = d.result.title; }} onSearchChange={(e, d) => { set(d.value); load(true); setTimeout(() => { setR(['Alpha Ltd', 'Beta Inc', 'Alphabet Corp'].filter(x => x.toLowerCase().includes(d.value.toLowerCase())).map(t => ({ title: t, description: 'A company' }))); load(false); }, 300); }} />;
}
function Add() {
	const [o, set] = React.useState(options), [v, setV] = React.useState(['css']);
	S.langs = v;
	return <Dropdown placeholder="Choose Languages" options={o} fluid search selection multiple allowAdditions value={v} onAddItem={(e, d) => set([{ key: d.value, text: d.value, value: d.value }, ...o])} onChange={(e, d) => setV(d.value)} />;
}
function Rows() {
	const [dir, set] = React.useState();
	const rows = [['John', 15], ['Amber', 40], ['Leslie', 25]];
	if (dir) rows.sort((a, b) => (a[0] < b[0] ? -1 : 1) * (dir === 'ascending' ? 1 : -1));
	S.rows = rows.map(r => r[0]).join();
	return <Table sortable celled fixed><Table.Header><Table.Row><Table.HeaderCell sorted={dir} onClick={() => set(dir === 'ascending' ? 'descending' : 'ascending')}>Name</Table.HeaderCell><Table.HeaderCell>Age</Table.HeaderCell></Table.Row></Table.Header><Table.Body>{rows.map(r => <Table.Row key={r[0]}><Table.Cell>{r[0]}</Table.Cell><Table.Cell>{r[1]}</Table.Cell></Table.Row>)}</Table.Body></Table>;
}
function MenuBar() {
	const [a, set] = React.useState('home');
	S.page = a;
	return <Menu pointing secondary>{['home', 'messages', 'friends'].map(x => <Menu.Item key={x} name={x} active={a === x} onClick={() => set(x)} />)}<Menu.Menu position="right"><Dropdown item text="Language"><Dropdown.Menu><Dropdown.Item onClick={() => S.lang = 'en'}>English</Dropdown.Item><Dropdown.Item onClick={() => S.lang = 'ru'}>Russian</Dropdown.Item></Dropdown.Menu></Dropdown></Menu.Menu></Menu>;
}
const App = () => <div style={{ padding: 20, width: 700 }}>
	<MenuBar />
	<Dropdown placeholder="Select Friend" fluid selection options={friends} onChange={(e, d) => S.friend = d.value} />
	<Dropdown placeholder="Select Country" fluid search selection options={countries} onChange={(e, d) => S.country = d.value} />
	<Dropdown placeholder="Skills" fluid multiple selection options={options} onChange={(e, d) => S.skills = d.value} />
	<Add />
	<Dropdown text="File"><Dropdown.Menu><Dropdown.Item text="New" onClick={() => S.file = 'new'} /><Dropdown.Item text="Open..." description="ctrl + o" onClick={() => S.file = 'open'} /><Dropdown.Item><Dropdown text="Export as"><Dropdown.Menu><Dropdown.Item text="Share" /><Dropdown.Item text="PDF file" onClick={() => S.file = 'pdf'} /></Dropdown.Menu></Dropdown></Dropdown.Item></Dropdown.Menu></Dropdown>
	<Form onSubmit={() => S.submitted = true}><Form.Group><Form.Field control={Input} label="First name" placeholder="First name" onChange={(e, d) => S.first = d.value} /><Form.Field control={Select} label="Gender" options={[{ key: 'm', text: 'Male', value: 'male' }, { key: 'f', text: 'Female', value: 'female' }]} placeholder="Gender" onChange={(e, d) => S.gender = d.value} /></Form.Group><Form.Field control={Checkbox} label="I agree to the Terms and Conditions" onChange={(e, d) => S.agree = d.checked} /><Form.Field control={Button}>Submit</Form.Field></Form>
	<ModalBox /><Ask /><Faq />
	<SearchBox />
	<Checkbox toggle label="Make my profile visible" onChange={(e, d) => S.visible = d.checked} /><br />
	<Radio label="Choose this" name="g" value="this" onChange={() => S.radio = 'this'} /><Radio label="Or that" name="g" value="that" onChange={() => S.radio = 'that'} /><br />
	<Rating icon="star" defaultRating={3} maxRating={5} onRate={(e, d) => S.stars = d.rating} />
	<Popup content="Add users to your feed" trigger={<Button icon="add" />} />
	<Popup trigger={<Button>Options</Button>} on="click" flowing><Header as="h4">Basic Plan</Header><Button onClick={() => S.chose = 'basic'}>Choose</Button></Popup>
	<Tab panes={[{ menuItem: 'Tab 1', render: () => <Tab.Pane>Tab 1 Content</Tab.Pane> }, { menuItem: 'Tab 2', render: () => <Tab.Pane>Tab 2 Content</Tab.Pane> }]} />
	<Rows />
	<Pagination defaultActivePage={5} totalPages={10} onPageChange={(e, d) => S.pageno = d.activePage} />
	<Step.Group><Step active link onClick={() => S.step = 'shipping'}><Step.Content><Step.Title>Shipping</Step.Title></Step.Content></Step><Step link onClick={() => S.step = 'billing'}><Step.Content><Step.Title>Billing</Step.Title></Step.Content></Step></Step.Group>
</div>;
createRoot(document.getElementById('root')).render(<App />);
