import React from 'react';
import { createRoot } from 'react-dom/client';
import { ChakraProvider, defaultSystem, createListCollection, Select, Combobox, Slider, NumberInput, Dialog, Menu, Button, Portal, RadioCard, Switch, Field, Input, PinInput, RatingGroup, TagsInput, Editable } from '@chakra-ui/react';
const S = window.S = {};
const towns = createListCollection({ items: ['Oslo', 'Lima', 'Linz', 'Paris'].map(v => ({ label: v, value: v.toLowerCase() })) });
const fruits = ['Apple', 'Banana', 'Cherry', 'Cranberry'];
function Fruit() {
	const [items, set] = React.useState(fruits);
	const collection = React.useMemo(() => createListCollection({ items: items.map(v => ({ label: v, value: v })) }), [items]);
	return <Combobox.Root collection={collection} onInputValueChange={e => set(fruits.filter(f => f.toLowerCase().includes(e.inputValue.toLowerCase())))} onValueChange={e => { S.fruit = e.value[0]; }} width="320px">
		<Combobox.Label>Fruit</Combobox.Label><Combobox.Control><Combobox.Input placeholder="Type to search" /><Combobox.IndicatorGroup><Combobox.ClearTrigger /><Combobox.Trigger /></Combobox.IndicatorGroup></Combobox.Control>
		<Portal><Combobox.Positioner><Combobox.Content><Combobox.Empty>Nothing</Combobox.Empty>{collection.items.map(i => <Combobox.Item item={i} key={i.value}>{i.label}<Combobox.ItemIndicator /></Combobox.Item>)}</Combobox.Content></Combobox.Positioner></Portal>
	</Combobox.Root>;
}
function App() {
	return <ChakraProvider value={defaultSystem}><div style={{ padding: 20, width: 500 }}>
		<Select.Root collection={towns} onValueChange={e => { S.town = e.value[0]; }}><Select.HiddenSelect /><Select.Label>Town</Select.Label><Select.Control><Select.Trigger><Select.ValueText placeholder="Choose a town" /></Select.Trigger><Select.IndicatorGroup><Select.Indicator /></Select.IndicatorGroup></Select.Control>
			<Portal><Select.Positioner><Select.Content>{towns.items.map(i => <Select.Item item={i} key={i.value}>{i.label}<Select.ItemIndicator /></Select.Item>)}</Select.Content></Select.Positioner></Portal></Select.Root>
		<Fruit />
		<Slider.Root defaultValue={[40]} width="200px" onValueChange={e => { S.volume = e.value[0]; }}><Slider.Label>Volume</Slider.Label><Slider.Control><Slider.Track><Slider.Range /></Slider.Track><Slider.Thumbs /></Slider.Control></Slider.Root>
		<NumberInput.Root defaultValue="10" onValueChange={e => { S.count = e.value; }}><NumberInput.Label>Boats</NumberInput.Label><NumberInput.Control /><NumberInput.Input /></NumberInput.Root>
		<Dialog.Root onOpenChange={e => { S.open = e.open; }}><Dialog.Trigger asChild><Button>Drop boat</Button></Dialog.Trigger><Portal><Dialog.Backdrop /><Dialog.Positioner><Dialog.Content><Dialog.Header><Dialog.Title>Are you sure?</Dialog.Title></Dialog.Header><Dialog.Body><p>It cannot be brought back.</p></Dialog.Body><Dialog.Footer><Dialog.ActionTrigger asChild><Button>Keep</Button></Dialog.ActionTrigger><Button onClick={() => { S.gone = true; }}>Delete</Button></Dialog.Footer></Dialog.Content></Dialog.Positioner></Portal></Dialog.Root>
		<Menu.Root onSelect={e => { S.item = e.value; }}><Menu.Trigger asChild><Button>File</Button></Menu.Trigger><Portal><Menu.Positioner><Menu.Content><Menu.Item value="new">New text</Menu.Item><Menu.Item value="open">Open file</Menu.Item></Menu.Content></Menu.Positioner></Portal></Menu.Root>
		<RadioCard.Root onValueChange={e => { S.plan = e.value; }}><RadioCard.Label>Plan</RadioCard.Label>{['Free', 'Paid'].map(p => <RadioCard.Item key={p} value={p}><RadioCard.ItemHiddenInput /><RadioCard.ItemControl><RadioCard.ItemContent><RadioCard.ItemText>{p}</RadioCard.ItemText><RadioCard.ItemDescription>{p} of charge</RadioCard.ItemDescription></RadioCard.ItemContent><RadioCard.ItemIndicator /></RadioCard.ItemControl></RadioCard.Item>)}</RadioCard.Root>
		<Switch.Root onCheckedChange={e => { S.on = e.checked; }}><Switch.HiddenInput /><Switch.Control /><Switch.Label>Wake me</Switch.Label></Switch.Root>
		<PinInput.Root onValueComplete={e => { S.pin = e.valueAsString; }}><PinInput.HiddenInput /><PinInput.Label>Code</PinInput.Label><PinInput.Control>{[0, 1, 2, 3].map(i => <PinInput.Input key={i} index={i} />)}</PinInput.Control></PinInput.Root>
		<RatingGroup.Root count={5} onValueChange={e => { S.stars = e.value; }}><RatingGroup.HiddenInput /><RatingGroup.Label>Rate</RatingGroup.Label><RatingGroup.Control /></RatingGroup.Root>
		<Editable.Root defaultValue="Click to edit" onValueCommit={e => { S.text = e.value; }}><Editable.Preview /><Editable.Input /></Editable.Root>
	</div></ChakraProvider>;
}
createRoot(document.getElementById('root')).render(<App />);
