import React from 'react';
import { createRoot } from 'react-dom/client';
import { DropdownMenu, Select, Dialog, Slider, Switch, Tabs, Accordion, Tooltip, Popover, RadioGroup, ContextMenu, HoverCard, Checkbox, ToggleGroup } from 'radix-ui';
const S = window.S = {};
const box = { background: '#fff', border: '1px solid #999', padding: 8 };
const App = () => <div style={{ padding: 20, width: 500 }}>
	<DropdownMenu.Root><DropdownMenu.Trigger>Options</DropdownMenu.Trigger><DropdownMenu.Portal><DropdownMenu.Content style={box}>
		<DropdownMenu.Item onSelect={() => S.action = 'new'}>New file</DropdownMenu.Item>
		<DropdownMenu.CheckboxItem onCheckedChange={v => S.wrap = v}>Wrap lines</DropdownMenu.CheckboxItem>
		<DropdownMenu.Sub><DropdownMenu.SubTrigger>Export</DropdownMenu.SubTrigger><DropdownMenu.Portal><DropdownMenu.SubContent style={box}><DropdownMenu.Item onSelect={() => S.action = 'pdf'}>As PDF</DropdownMenu.Item></DropdownMenu.SubContent></DropdownMenu.Portal></DropdownMenu.Sub>
	</DropdownMenu.Content></DropdownMenu.Portal></DropdownMenu.Root>
	<Select.Root onValueChange={v => S.fruit = v}><Select.Trigger aria-label="Fruit"><Select.Value placeholder="Pick a fruit" /></Select.Trigger><Select.Portal><Select.Content style={box}><Select.Viewport>
		{['Apple', 'Banana', 'Cherry'].map(x => <Select.Item key={x} value={x}><Select.ItemText>{x}</Select.ItemText></Select.Item>)}</Select.Viewport></Select.Content></Select.Portal></Select.Root>
	<Dialog.Root><Dialog.Trigger>Edit profile</Dialog.Trigger><Dialog.Portal><Dialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0008' }} /><Dialog.Content style={{ ...box, position: 'fixed', top: 50, left: 50 }}><Dialog.Title>Profile</Dialog.Title><Dialog.Description>Your name</Dialog.Description><input aria-label="Name" onChange={e => S.name = e.target.value} /><Dialog.Close onClick={() => S.closed = true}>Done</Dialog.Close></Dialog.Content></Dialog.Portal></Dialog.Root>
	<Slider.Root defaultValue={[50]} onValueChange={v => S.volume = v[0]} style={{ position: 'relative', display: 'flex', width: 200, height: 20, alignItems: 'center' }}><Slider.Track style={{ background: '#999', flexGrow: 1, height: 3, position: 'relative' }}><Slider.Range style={{ background: '#00f', position: 'absolute', height: 3 }} /></Slider.Track><Slider.Thumb aria-label="Volume" style={{ display: 'block', width: 16, height: 16, background: '#00f', borderRadius: 8 }} /></Slider.Root>
	<label>Airplane mode <Switch.Root onCheckedChange={v => S.plane = v} style={{ width: 42, height: 25, background: '#999' }}><Switch.Thumb style={{ display: 'block', width: 21, height: 21, background: '#fff' }} /></Switch.Root></label>
	<Tabs.Root defaultValue="a" onValueChange={v => S.tab = v}><Tabs.List><Tabs.Trigger value="a">Account</Tabs.Trigger><Tabs.Trigger value="b">Password</Tabs.Trigger></Tabs.List><Tabs.Content value="b">Change it here</Tabs.Content></Tabs.Root>
	<Accordion.Root type="single" collapsible><Accordion.Item value="x"><Accordion.Header><Accordion.Trigger>Is it accessible?</Accordion.Trigger></Accordion.Header><Accordion.Content>It keeps to the pattern</Accordion.Content></Accordion.Item></Accordion.Root>
	<Tooltip.Provider><Tooltip.Root><Tooltip.Trigger>Info</Tooltip.Trigger><Tooltip.Portal><Tooltip.Content style={{ background: '#222', color: '#fff' }}>Made in Kiel</Tooltip.Content></Tooltip.Portal></Tooltip.Root></Tooltip.Provider>
	<Popover.Root><Popover.Trigger>Dimensions</Popover.Trigger><Popover.Portal><Popover.Content style={box}><input aria-label="Width" onChange={e => S.width = e.target.value} /></Popover.Content></Popover.Portal></Popover.Root>
	<RadioGroup.Root onValueChange={v => S.density = v}>{['Default', 'Compact'].map(x => <label key={x}><RadioGroup.Item value={x} style={{ width: 20, height: 20 }} />{x}</label>)}</RadioGroup.Root>
	<ContextMenu.Root><ContextMenu.Trigger style={{ ...box, display: 'block' }}>Right-click here</ContextMenu.Trigger><ContextMenu.Portal><ContextMenu.Content style={box}><ContextMenu.Item onSelect={() => S.context = 'reload'}>Reload</ContextMenu.Item></ContextMenu.Content></ContextMenu.Portal></ContextMenu.Root>
	<HoverCard.Root><HoverCard.Trigger href="#ada">ada</HoverCard.Trigger><HoverCard.Portal><HoverCard.Content style={box}>Joined in 1843</HoverCard.Content></HoverCard.Portal></HoverCard.Root>
	<ToggleGroup.Root type="single" onValueChange={v => S.align = v}>{['left', 'center', 'right'].map(x => <ToggleGroup.Item key={x} value={x} aria-label={'Align ' + x}>{x[0]}</ToggleGroup.Item>)}</ToggleGroup.Root>
</div>;
createRoot(document.getElementById('root')).render(<App />);
