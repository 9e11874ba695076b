import React from 'react';
import { createRoot } from 'react-dom/client';
import { FluentProvider, webLightTheme, Accordion, AccordionHeader, AccordionItem, AccordionPanel, Button, Checkbox, Combobox, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle, DialogTrigger, Dropdown, Field, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Option, Slider, SpinButton, Switch, Tab, TabList, Tooltip, Rating } from '@fluentui/react-components';
const S = window.S = {};
const App = () => <FluentProvider theme={webLightTheme}><div style={{ padding: 20, width: 400 }}>
	<Field label="Animal"><Dropdown onOptionSelect={(_, d) => S.animal = d.optionValue}>{['Cat', 'Dog', 'Seal'].map(x => <Option key={x}>{x}</Option>)}</Dropdown></Field>
	<Field label="Food"><Combobox onOptionSelect={(_, d) => S.food = d.optionValue}>{['Bread', 'Broth', 'Soup'].map(x => <Option key={x}>{x}</Option>)}</Combobox></Field>
	<Field label="Volume"><Slider defaultValue={20} onChange={(_, d) => S.volume = d.value} /></Field>
	<Field label="Amount"><SpinButton defaultValue={3} onChange={(_, d) => S.amount = d.value ?? Number(d.displayValue)} /></Field>
	<Switch label="Quiet" onChange={(_, d) => S.quiet = d.checked} /><Checkbox label="Keep" onChange={(_, d) => S.keep = d.checked} />
	<Menu><MenuTrigger><Button>Insert</Button></MenuTrigger><MenuPopover><MenuList><MenuItem onClick={() => S.insert = 'table'}>Table</MenuItem><MenuItem onClick={() => S.insert = 'link'}>Link</MenuItem></MenuList></MenuPopover></Menu>
	<Dialog><DialogTrigger><Button>Remove</Button></DialogTrigger><DialogSurface><DialogBody><DialogTitle>Remove it?</DialogTitle><DialogContent>It is for ever.</DialogContent><DialogActions><DialogTrigger><Button onClick={() => S.removed = true}>Confirm</Button></DialogTrigger></DialogActions></DialogBody></DialogSurface></Dialog>
	<TabList onTabSelect={(_, d) => S.tab = d.value}><Tab value="a">Arrivals</Tab><Tab value="b">Departures</Tab></TabList>
	<Accordion collapsible><AccordionItem value="1"><AccordionHeader>Baggage</AccordionHeader><AccordionPanel>Two pieces</AccordionPanel></AccordionItem></Accordion>
	<Tooltip content="Opens the hatch" relationship="description"><Button>Hatch</Button></Tooltip>
	<Rating onChange={(_, d) => S.stars = d.value} />
</div></FluentProvider>;
createRoot(document.getElementById('root')).render(<App />);
