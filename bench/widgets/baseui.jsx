import React from 'react';
import { createRoot } from 'react-dom/client';
import { Select } from '@base-ui/react/select';
import { Combobox } from '@base-ui/react/combobox';
import { Menu } from '@base-ui/react/menu';
import { Slider } from '@base-ui/react/slider';
import { NumberField } from '@base-ui/react/number-field';
import { Dialog } from '@base-ui/react/dialog';
import { Switch } from '@base-ui/react/switch';
import { Checkbox } from '@base-ui/react/checkbox';
import { Tabs } from '@base-ui/react/tabs';
import { Tooltip } from '@base-ui/react/tooltip';
const S = window.S = {};
const box = { background: '#fff', border: '1px solid #999', padding: 6 };
const App = () => <div style={{ padding: 20, width: 500 }}>
	<Select.Root items={['Sans', 'Serif', 'Mono'].map(x => ({ label: x, value: x }))} onValueChange={v => S.font = v}><Select.Trigger aria-label="Font"><Select.Value placeholder="Pick a font" /></Select.Trigger><Select.Portal><Select.Positioner><Select.Popup style={box}>{['Sans', 'Serif', 'Mono'].map(x => <Select.Item key={x} value={x}><Select.ItemText>{x}</Select.ItemText></Select.Item>)}</Select.Popup></Select.Positioner></Select.Portal></Select.Root>
	<Combobox.Root items={['Apple', 'Apricot', 'Plum']} onValueChange={v => S.fruit = v}><Combobox.Input aria-label="Fruit" /><Combobox.Portal><Combobox.Positioner><Combobox.Popup style={box}><Combobox.Empty>None</Combobox.Empty><Combobox.List>{x => <Combobox.Item key={x} value={x}>{x}</Combobox.Item>}</Combobox.List></Combobox.Popup></Combobox.Positioner></Combobox.Portal></Combobox.Root>
	<Menu.Root><Menu.Trigger>Song</Menu.Trigger><Menu.Portal><Menu.Positioner><Menu.Popup style={box}><Menu.Item onClick={() => S.menu = 'queue'}>Add to queue</Menu.Item><Menu.SubmenuRoot><Menu.SubmenuTrigger>Add to list</Menu.SubmenuTrigger><Menu.Portal><Menu.Positioner><Menu.Popup style={box}><Menu.Item onClick={() => S.menu = 'party'}>Party</Menu.Item></Menu.Popup></Menu.Positioner></Menu.Portal></Menu.SubmenuRoot></Menu.Popup></Menu.Positioner></Menu.Portal></Menu.Root>
	<Slider.Root defaultValue={25} onValueChange={v => S.volume = v}><Slider.Control style={{ width: 200, height: 20, display: 'flex', alignItems: 'center' }}><Slider.Track style={{ width: '100%', height: 4, background: '#999' }}><Slider.Indicator /><Slider.Thumb aria-label="Volume" style={{ width: 16, height: 16, background: '#00f' }} /></Slider.Track></Slider.Control></Slider.Root>
	<NumberField.Root defaultValue={100} onValueChange={v => S.amount = v}><NumberField.Group><NumberField.Decrement>-</NumberField.Decrement><NumberField.Input aria-label="Amount" /><NumberField.Increment>+</NumberField.Increment></NumberField.Group></NumberField.Root>
	<Dialog.Root onOpenChange={v => S.open = v}><Dialog.Trigger>View notices</Dialog.Trigger><Dialog.Portal><Dialog.Backdrop style={{ position: 'fixed', inset: 0, background: '#0006' }} /><Dialog.Popup style={{ ...box, position: 'fixed', top: 60, left: 60 }}><Dialog.Title>Notices</Dialog.Title><Dialog.Description>You are all caught up.</Dialog.Description><Dialog.Close>Fine</Dialog.Close></Dialog.Popup></Dialog.Portal></Dialog.Root>
	<Switch.Root aria-label="Wifi" onCheckedChange={v => S.wifi = v} style={{ width: 40, height: 20, background: '#999', display: 'inline-block' }}><Switch.Thumb style={{ width: 20, height: 20, background: '#fff', display: 'block' }} /></Switch.Root>
	<label><Checkbox.Root onCheckedChange={v => S.agree = v} style={{ width: 20, height: 20, border: '1px solid', display: 'inline-block' }}><Checkbox.Indicator>✓</Checkbox.Indicator></Checkbox.Root>Enable notices</label>
	<Tabs.Root defaultValue="a"><Tabs.List><Tabs.Tab value="a">Overview</Tabs.Tab><Tabs.Tab value="b">Projects</Tabs.Tab></Tabs.List><Tabs.Panel value="a">All things</Tabs.Panel><Tabs.Panel value="b">Two projects</Tabs.Panel></Tabs.Root>
	<Tooltip.Provider><Tooltip.Root><Tooltip.Trigger>Bold</Tooltip.Trigger><Tooltip.Portal><Tooltip.Positioner><Tooltip.Popup style={box}>Makes it heavy</Tooltip.Popup></Tooltip.Positioner></Tooltip.Portal></Tooltip.Root></Tooltip.Provider>
</div>;
createRoot(document.getElementById('root')).render(<App />);
