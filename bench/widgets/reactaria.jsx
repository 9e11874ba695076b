import React from 'react';
import { createRoot } from 'react-dom/client';
import { Button, Calendar, CalendarCell, CalendarGrid, ComboBox, DateInput, DatePicker, DateSegment, Dialog, DialogTrigger, GridList, GridListItem, Group, Heading, Input, Label, ListBox, ListBoxItem, Menu, MenuItem, MenuTrigger, Modal, NumberField, Popover, Select, SelectValue, Slider, SliderOutput, SliderThumb, SliderTrack, Switch, Checkbox, RadioGroup, Radio, TextField } from 'react-aria-components';
import { parseDate } from '@internationalized/date';
const S = window.S = {};
const App = () => <div style={{ padding: 20, width: 400 }}>
	<Select onChange={v => S.animal = v} onSelectionChange={v => S.animal = v}><Label>Animal</Label><Button><SelectValue /></Button><Popover style={{ background: '#fff' }}><ListBox>{['Cat', 'Dog', 'Seal'].map(x => <ListBoxItem key={x} id={x}>{x}</ListBoxItem>)}</ListBox></Popover></Select>
	<ComboBox onSelectionChange={v => S.food = v} onChange={v => S.food = v}><Label>Food</Label><Input /><Button>▼</Button><Popover style={{ background: '#fff' }}><ListBox>{['Bread', 'Broth', 'Soup'].map(x => <ListBoxItem key={x} id={x}>{x}</ListBoxItem>)}</ListBox></Popover></ComboBox>
	<MenuTrigger><Button>File</Button><Popover style={{ background: '#fff' }}><Menu onAction={k => S.action = k}><MenuItem id="open">Open…</MenuItem><MenuItem id="print">Print</MenuItem></Menu></Popover></MenuTrigger>
	<Slider defaultValue={30} onChange={v => S.volume = v}><Label>Volume</Label><SliderOutput /><SliderTrack style={{ height: 20, width: 200, position: 'relative' }}><SliderThumb style={{ width: 20, height: 20, background: '#00f', top: 10 }} /></SliderTrack></Slider>
	<Switch onChange={v => S.wifi = v}>Low power</Switch>
	<Checkbox onChange={v => S.sub = v}>Subscribe</Checkbox>
	<RadioGroup onChange={v => S.pet = v}><Label>Pet</Label><Radio value="cats">Cats</Radio><Radio value="dogs">Dogs</Radio></RadioGroup>
	<NumberField defaultValue={5} onChange={v => S.width = v}><Label>Width</Label><Group><Button slot="decrement">-</Button><Input /><Button slot="increment">+</Button></Group></NumberField>
	<DialogTrigger><Button>Sign up</Button><Modal style={{ position: 'fixed', top: 20, left: 20, background: '#fff' }}><Dialog><Heading slot="title">Sign up</Heading><TextField onChange={v => S.first = v}><Label>First name</Label><Input /></TextField><Button slot="close" onPress={() => S.sent = true}>Submit</Button></Dialog></Modal></DialogTrigger>
	<DatePicker defaultValue={parseDate('2026-03-10')} onChange={v => S.day = v?.toString()}><Label>Day</Label><Group><DateInput>{s => <DateSegment segment={s} />}</DateInput><Button>▼</Button></Group><Popover style={{ background: '#fff' }}><Dialog><Calendar><header><Button slot="previous">◀</Button><Heading /><Button slot="next">▶</Button></header><CalendarGrid>{d => <CalendarCell date={d} />}</CalendarGrid></Calendar></Dialog></Popover></DatePicker>
	<GridList aria-label="Animals" selectionMode="multiple" onSelectionChange={k => S.list = [...k].sort().join()}>{['Lion', 'Owl'].map(x => <GridListItem key={x} id={x} textValue={x}><Checkbox slot="selection" />{x}</GridListItem>)}</GridList>
</div>;
createRoot(document.getElementById('root')).render(<App />);
