import React from 'react';
import { createRoot } from 'react-dom/client';
import { Grommet, Select, SelectMultiple, DateInput, RangeInput, CheckBox, RadioButtonGroup, Menu, Layer, Button, StarRating, TextInput, MaskedInput, Tabs, Tab, Accordion, AccordionPanel, DataTable, Box, RangeSelector, FormField, Calendar, DropButton, Text, Carousel } from 'grommet';
const S = window.S = {};
function App() {
	const [town, setTown] = React.useState(''), [crew, setCrew] = React.useState([]), [day, setDay] = React.useState('2026-03-10T00:00:00Z'), [v, setV] = React.useState(20), [open, show] = React.useState(false), [on, setOn] = React.useState(false), [pay, setPay] = React.useState(''), [text, setText] = React.useState(''), [sel, setSel] = React.useState();
	S.town = town; S.crew = crew; S.day = day; S.volume = +v; S.on = on; S.pay = pay; S.phone = text;
	return <Grommet><Box pad="medium" width="500px">
		<FormField label="Town" htmlFor="town__input" name="town"><Select id="town" options={['Oslo', 'Lima', 'Linz']} value={town} onChange={e => setTown(e.option)} placeholder="Choose a town" /></FormField>
		<SelectMultiple options={['Ann', 'Bo', 'Cy']} value={crew} onChange={e => setCrew(e.value)} placeholder="Choose people" />
		<DateInput format="mm/dd/yyyy" value={day} onChange={e => setDay(e.value)} />
		<FormField label="Volume" htmlFor="volume"><RangeInput id="volume" min={0} max={100} value={v} onChange={e => setV(e.target.value)} /></FormField>
		<CheckBox toggle label="Wake me" checked={on} onChange={e => setOn(e.target.checked)} /><RadioButtonGroup name="pay" options={['Cash', 'Card']} value={pay} onChange={e => setPay(e.target.value)} />
		<Menu label="Actions" items={[{ label: 'Copy', onClick: () => { S.item = 'copy'; } }, { label: 'Paste', onClick: () => { S.item = 'paste'; } }]} />
		<Button label="Drop boat" onClick={() => show(true)} />{open && <Layer onEsc={() => show(false)} onClickOutside={() => show(false)}><Box pad="medium"><Text>It cannot be brought back.</Text><Button label="Delete" onClick={() => { S.gone = true; show(false); }} /></Box></Layer>}
		<StarRating name="stars" onChange={e => { S.stars = e.value; }} /><MaskedInput placeholder="phone" mask={[{ fixed: '(' }, { length: 3, regexp: /^[0-9]{1,3}$/, placeholder: 'xxx' }, { fixed: ')' }, { fixed: ' ' }, { length: 3, regexp: /^[0-9]{1,3}$/, placeholder: 'xxx' }]} value={text} onChange={e => setText(e.target.value)} />
		<Tabs><Tab title="One">First panel</Tab><Tab title="Two">Second panel</Tab></Tabs><Accordion><AccordionPanel label="More">Hidden treasure</AccordionPanel></Accordion>
		<TextInput placeholder="Fruit" suggestions={['Apple', 'Banana', 'Cherry']} onSuggestionSelect={e => { S.fruit = e.suggestion; }} />
		<DataTable sortable columns={[{ property: 'name', header: 'Name', primary: true }, { property: 'tons', header: 'Tons' }]} data={[{ name: 'Ann', tons: 47 }, { name: 'Bo', tons: 12 }]} select={sel} onSelect={r => { S.rows = r; setSel(r); }} onSort={e => { S.sort = e.property; }} />
		<DropButton label="Filter" dropContent={<Box pad="small"><Button label="Only red" onClick={() => { S.red = true; }} /></Box>} />
	</Box></Grommet>;
}
createRoot(document.getElementById('root')).render(<App />);
