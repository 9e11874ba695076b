import { createSignal, For } from 'solid-js';
import { render } from 'solid-js/web';
import h from 'solid-js/h';
import { Select } from '@kobalte/core/select';
import { Combobox } from '@kobalte/core/combobox';
import { Dialog } from '@kobalte/core/dialog';
import { DropdownMenu } from '@kobalte/core/dropdown-menu';
import { ContextMenu } from '@kobalte/core/context-menu';
import { Tabs } from '@kobalte/core/tabs';
import { Accordion } from '@kobalte/core/accordion';
import { Switch } from '@kobalte/core/switch';
import { Checkbox } from '@kobalte/core/checkbox';
import { RadioGroup } from '@kobalte/core/radio-group';
import { Slider } from '@kobalte/core/slider';
import { NumberField } from '@kobalte/core/number-field';
import { Popover } from '@kobalte/core/popover';
import { ToggleGroup } from '@kobalte/core/toggle-group';
import { TextField } from '@kobalte/core/text-field';
const S = window.S = {};
const item = Kind => p => h(Kind.Item, { item: p.item }, h(Kind.ItemLabel, {}, () => p.item.rawValue));
const list = Kind => h(Kind.Portal, {}, h(Kind.Content, { style: 'background:#fff;border:1px solid' }, h(Kind.Listbox, {})));
function App() {
	return h('div', { style: 'width:500px;padding:20px' },
		h(Select, { options: ['Oslo', 'Lima', 'Linz'], placeholder: 'Choose a town', onChange: v => { S.town = v; }, itemComponent: item(Select) },
			h(Select.Label, {}, 'Town'), h(Select.Trigger, {}, h(Select.Value, {}, s => s.selectedOption())), list(Select)),
		h(Combobox, { options: ['Apple', 'Apricot', 'Banana'], placeholder: 'Search fruit', onChange: v => { S.fruit = v; }, itemComponent: item(Combobox) },
			h(Combobox.Label, {}, 'Fruit'), h(Combobox.Control, {}, h(Combobox.Input, {}), h(Combobox.Trigger, {}, 'v')), list(Combobox)),
		h(Dialog, {}, h(Dialog.Trigger, {}, 'Sink'), h(Dialog.Portal, {}, h(Dialog.Overlay, { style: 'position:fixed;inset:0;background:#0006' }), h(Dialog.Content, { style: { position: 'fixed', 'z-index': 9, top: '100px', left: '100px', background: '#fff', padding: '20px' } }, h(Dialog.Title, {}, 'Sink the boat?'), h(Dialog.Description, {}, 'It cannot be raised again.'), h('button', { onClick: () => { S.sunk = true; } }, 'Sink it'), h(Dialog.CloseButton, {}, 'Keep')))),
		h(DropdownMenu, {}, h(DropdownMenu.Trigger, {}, 'Actions'), h(DropdownMenu.Portal, {}, h(DropdownMenu.Content, { style: 'background:#fff;border:1px solid' }, h(DropdownMenu.Item, { onSelect: () => { S.item = 'copy'; } }, 'Copy'), h(DropdownMenu.CheckboxItem, { onChange: v => { S.grid = v; } }, 'Show grid'), h(DropdownMenu.Sub, {}, h(DropdownMenu.SubTrigger, {}, 'Export'), h(DropdownMenu.Portal, {}, h(DropdownMenu.SubContent, { style: 'background:#fff;border:1px solid' }, h(DropdownMenu.Item, { onSelect: () => { S.item = 'pdf'; } }, 'As PDF'))))))),
		h(ContextMenu, {}, h(ContextMenu.Trigger, { style: 'display:block;border:1px dashed;padding:20px' }, 'Right here'), h(ContextMenu.Portal, {}, h(ContextMenu.Content, { style: 'background:#fff' }, h(ContextMenu.Item, { onSelect: () => { S.item = 'rename'; } }, 'Rename')))),
		h(Tabs, {}, h(Tabs.List, {}, h(Tabs.Trigger, { value: 'a' }, 'Hull'), h(Tabs.Trigger, { value: 'b' }, 'Sails')), h(Tabs.Content, { value: 'a' }, 'Oak planks'), h(Tabs.Content, { value: 'b' }, 'Red canvas')),
		h(Accordion, { collapsible: true }, h(Accordion.Item, { value: 'x' }, h(Accordion.Header, {}, h(Accordion.Trigger, {}, 'More')), h(Accordion.Content, {}, 'Hidden treasure'))),
		h(Switch, { onChange: v => { S.night = v; } }, h(Switch.Label, {}, 'Night watch'), h(Switch.Input, {}), h(Switch.Control, { style: 'display:inline-block;width:30px;height:16px;background:#999' }, h(Switch.Thumb, {}))),
		h(Checkbox, { onChange: v => { S.agree = v; } }, h(Checkbox.Input, {}), h(Checkbox.Control, { style: 'display:inline-block;width:16px;height:16px;border:1px solid' }), h(Checkbox.Label, {}, 'I agree')),
		h(RadioGroup, { onChange: v => { S.pay = v; } }, h(RadioGroup.Label, {}, 'Pay'), ['Cash', 'Card'].map(x => h(RadioGroup.Item, { value: x }, h(RadioGroup.ItemInput, {}), h(RadioGroup.ItemControl, { style: 'display:inline-block;width:16px;height:16px;border:1px solid' }), h(RadioGroup.ItemLabel, {}, x)))),
		h(Slider, { minValue: 0, maxValue: 100, defaultValue: [20], onChange: v => { S.volume = v[0]; }, style: 'width:300px' }, h(Slider.Label, {}, 'Volume'), h(Slider.Track, { style: 'position:relative;height:8px;background:#ccc' }, h(Slider.Fill, {}), h(Slider.Thumb, { style: 'width:16px;height:16px;background:#333;top:-4px' }, h(Slider.Input, {})))),
		h(NumberField, { defaultValue: 2, onRawValueChange: v => { S.boats = v; } }, h(NumberField.Label, {}, 'Boats'), h(NumberField.Input, {}), h(NumberField.IncrementTrigger, {}, '+'), h(NumberField.DecrementTrigger, {}, '-')),
		h(Popover, {}, h(Popover.Trigger, {}, 'Tide'), h(Popover.Portal, {}, h(Popover.Content, { style: 'background:#fff;border:1px solid' }, h(Popover.Title, {}, 'Tide table'), h(Popover.Description, {}, 'High at nine')))),
		h(ToggleGroup, { multiple: true, onChange: v => { S.format = v.join(); } }, h(ToggleGroup.Item, { value: 'bold' }, 'Bold'), h(ToggleGroup.Item, { value: 'italic' }, 'Italic')),
		h(TextField, { onChange: v => { S.note = v; } }, h(TextField.Label, {}, 'Note'), h(TextField.TextArea, {}), h(TextField.Description, {}, 'Any words')));
}
render(App, document.getElementById('root'));
