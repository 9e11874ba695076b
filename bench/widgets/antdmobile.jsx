import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ConfigProvider, Picker, DatePicker, CascadePicker, Calendar, Slider, Rate, Switch, Stepper, CheckList, Checkbox, Radio, Selector, Dialog, Toast, ActionSheet, Popup, Tabs, Collapse, SwipeAction, List, Button, Input, TextArea, PasscodeInput, NumberKeyboard, IndexBar, Swiper, ImageUploader, SearchBar, TreeSelect, JumboTabs, SideBar, Dropdown, Popover, SafeArea, CapsuleTabs, VirtualInput } from 'antd-mobile';
import en from 'antd-mobile/es/locales/en-US';
import 'antd-mobile/bundle/style.css';
const S = window.S = {};
const set = k => v => { S[k] = v; };
function App() {
	const [v, put] = useState({ files: [] });
	const s = o => put(x => ({ ...x, ...o }));
	return <div style={{ width: 420, padding: 10 }}>
		<List><List.Item onClick={() => s({ p: true })}>Town</List.Item><List.Item onClick={() => s({ d: true })}>Departure</List.Item><List.Item onClick={() => s({ c: true })}>Place</List.Item><List.Item extra={<Switch onChange={set('wake')} />}>Wake me</List.Item><List.Item extra={<Stepper defaultValue={2} onChange={set('boats')} />}>Boats</List.Item></List>
		<Picker columns={[['Oslo', 'Lima', 'Linz'].map(t => ({ label: t, value: t }))]} visible={!!v.p} onClose={() => s({ p: false })} onConfirm={x => { S.town = x[0]; }} /><DatePicker visible={!!v.d} onClose={() => s({ d: false })} defaultValue={new Date(2026, 2, 10)} min={new Date(2026, 0, 1)} max={new Date(2026, 11, 31)} onConfirm={d => { S.day = d; }} />
		<CascadePicker options={[{ label: 'Norway', value: 'no', children: [{ label: 'Bergen', value: 'be' }, { label: 'Tromso', value: 'tr' }] }, { label: 'Peru', value: 'pe', children: [{ label: 'Cusco', value: 'cu' }] }]} visible={!!v.c} onClose={() => s({ c: false })} onConfirm={x => { S.place = x.join(); }} />
		<Calendar selectionMode="range" defaultValue={null}  onChange={r => { S.range = r && r.map(d => d.getDate()).join(); }} />
		<p>Volume</p><Slider defaultValue={20} onChange={set('volume')} /><Rate onChange={set('stars')} /><CheckList multiple onChange={x => { S.crew = x.join(); }}><CheckList.Item value="Ann">Ann</CheckList.Item><CheckList.Item value="Bo">Bo</CheckList.Item></CheckList><Selector options={[{ label: 'List', value: 'l' }, { label: 'Cards', value: 'c' }]} onChange={x => { S.view = x.join(); }} /><Checkbox onChange={set('agree')}>Agree</Checkbox><Radio.Group onChange={set('pay')}><Radio value="cash">Cash</Radio><Radio value="card">Card</Radio></Radio.Group>
		<Button onClick={() => Dialog.confirm({ title: 'Sink the boat?', content: 'It cannot be raised again.', confirmText: 'Sink it', onConfirm: () => { S.sunk = true; } })}>Sink</Button><Button onClick={() => Toast.show({ content: 'Rope is tied', duration: 3000 })}>Tie</Button><Button onClick={() => s({ a: true })}>Share</Button><ActionSheet visible={!!v.a} actions={[{ text: 'Copy', key: 'copy' }, { text: 'Paste', key: 'paste' }]} onAction={x => { S.act = x.key; s({ a: false }); }} /><Button onClick={() => s({ u: true })}>Log book</Button><Popup visible={!!v.u} onMaskClick={() => s({ u: false })}>Quiet night</Popup>
		<Tabs><Tabs.Tab title="Hull" key="h">Oak planks</Tabs.Tab><Tabs.Tab title="Sails" key="s">Red canvas</Tabs.Tab></Tabs><Collapse><Collapse.Panel key="1" title="More">Hidden treasure</Collapse.Panel></Collapse><SwipeAction rightActions={[{ key: 'del', text: 'Delete', color: 'danger', onClick: () => { S.del = true; } }]}><List.Item>Letter of Ann</List.Item></SwipeAction>
		<Input placeholder="Note" onChange={set('note')} clearable /><SearchBar placeholder="Search" onSearch={set('q')} /><PasscodeInput length={4} onChange={set('pin')} seperated /><Swiper loop={false}><Swiper.Item><div style={{ height: 60 }}>First light</div></Swiper.Item><Swiper.Item><div style={{ height: 60 }}>Second light</div></Swiper.Item></Swiper><Dropdown><Dropdown.Item key="s" title="Sort"><div style={{ padding: 10 }}><Radio.Group onChange={set('sort')}><Radio value="new">Newest</Radio><Radio value="old">Oldest</Radio></Radio.Group></div></Dropdown.Item></Dropdown><Popover.Menu actions={[{ text: 'Scan', key: 'scan' }]} trigger="click" onAction={x => { S.menu = x.key; }}><Button>Plus</Button></Popover.Menu>
		<ImageUploader value={v.files} onChange={files => { S.files = files.length; s({ files }); }} upload={f => Promise.resolve({ url: 'data:image/png;base64,' })} /><VirtualInput placeholder="Sum" keyboard={<NumberKeyboard />} onChange={set('sum')} />
	</div>;
}
createRoot(document.getElementById('root')).render(<ConfigProvider locale={en}><App /></ConfigProvider>);
