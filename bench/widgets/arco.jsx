import React from 'react';
import { createRoot } from 'react-dom/client';
import '@arco-design/web-react/es/_util/react-19-adapter';
import { ConfigProvider, Select, Cascader, DatePicker, TreeSelect, Slider, Rate, InputTag, InputNumber, Modal, Button, Table, Switch, Checkbox, Radio, Dropdown, Menu, TimePicker, Transfer, AutoComplete, Input, Popconfirm, Form } from '@arco-design/web-react';
import en from '@arco-design/web-react/es/locale/en-US';
import '@arco-design/web-react/dist/css/arco.css';
const S = window.S = {};
const set = k => v => { S[k] = v; };
const rows = [{ key: 1, name: 'Ann', tons: 47 }, { key: 2, name: 'Bo', tons: 12 }, { key: 3, name: 'Cy', tons: 30 }];
function App() {
	const [open, show] = React.useState(false);
	return <ConfigProvider locale={en}><div style={{ padding: 20, width: 500 }}>
		<Form.Item label="Town"><Select placeholder="Choose a town" onChange={set('town')} options={['Oslo', 'Lima', 'Linz']} /></Form.Item>
		<Form.Item label="Crew"><Select mode="multiple" placeholder="Choose people" onChange={set('crew')} options={['Ann', 'Bo', 'Cy']} /></Form.Item>
		<Cascader placeholder="Choose a place" options={[{ value: 'eu', label: 'Europe', children: [{ value: 'no', label: 'Norway' }, { value: 'at', label: 'Austria' }] }, { value: 'as', label: 'Asia', children: [{ value: 'in', label: 'India' }] }]} onChange={set('place')} />
		<TreeSelect placeholder="Choose a branch" treeData={[{ key: 'a', title: 'Trunk', children: [{ key: 'b', title: 'Leaf' }] }]} onChange={set('leaf')} />
		<DatePicker defaultPickerValue="2026-03-10" placeholder="Choose a date" onChange={set('day')} />
		<DatePicker.RangePicker defaultPickerValue={['2026-03-01', '2026-04-01']} onChange={set('range')} />
		<TimePicker placeholder="Choose a time" onChange={set('time')} />
		<p>Volume</p><Slider defaultValue={20} onChange={set('volume')} /><Rate onChange={set('stars')} />
		<InputTag placeholder="Tags" onChange={set('tags')} /><InputNumber placeholder="Count" onChange={set('count')} />
		<AutoComplete placeholder="Fruit" data={['Apple', 'Banana', 'Cherry']} onSelect={set('fruit')} /><Input placeholder="Note" allowClear onChange={set('note')} />
		<Button onClick={() => show(true)}>Drop boat</Button><Modal title="Delete the boat?" visible={open} onOk={() => { S.gone = true; show(false); }} onCancel={() => show(false)} okText="Delete">It cannot be brought back.</Modal>
		<Popconfirm title="Sell the boat?" okText="Sell it" onOk={() => { S.sold = true; }}><Button>Sell</Button></Popconfirm>
		<Switch onChange={set('on')} /> Wake me <Checkbox onChange={set('agree')}>Agree</Checkbox><Radio.Group type="button" options={['Cash', 'Card']} onChange={set('pay')} />
		<Dropdown trigger="click" droplist={<Menu onClickMenuItem={set('item')}><Menu.Item key="copy">Copy</Menu.Item><Menu.Item key="paste">Paste</Menu.Item></Menu>}><Button>Actions</Button></Dropdown>
		<Table data={rows} columns={[{ title: 'Name', dataIndex: 'name' }, { title: 'Tons', dataIndex: 'tons', sorter: (a, b) => a.tons - b.tons }]} rowSelection={{ onChange: set('rows') }} onChange={(p, s, f, e) => { S.first = e.currentData[0].name; }} />
		<Transfer dataSource={[{ key: '1', value: 'Salt' }, { key: '2', value: 'Tea' }]} onChange={set('moved')} />
	</div></ConfigProvider>;
}
createRoot(document.getElementById('root')).render(<App />);
