import React from 'react';
import { createRoot } from 'react-dom/client';
import { Button, Cascader, DatePicker, Dropdown, Modal, Popconfirm, Rate, Select, Slider, Switch, Table, Tree, TreeSelect, Transfer, message, notification, InputNumber, Radio, Steps, Upload, ColorPicker, Segmented } from 'antd';
import dayjs from 'dayjs';
const S = window.S = {};
const rows = Array.from({ length: 23 }, (_, i) => ({ key: i, name: 'Person ' + (i + 1), age: 20 + (i * 7) % 40 }));
function App() {
	const [open, setOpen] = React.useState(false);
	const [say, holder] = message.useMessage();
	S.open = open;
	return <div style={{ padding: 20, width: 620 }}>{holder}
		<Select aria-label="City" style={{ width: 200 }} options={Array.from({ length: 300 }, (_, i) => ({ value: i, label: 'City ' + i }))} onChange={v => S.city = v} />
		<Select aria-label="Colour" style={{ width: 200 }} options={['Red', 'Green', 'Blue'].map(v => ({ value: v, label: v }))} onChange={v => S.colour = v} />
		<Select aria-label="Fruits" mode="multiple" showSearch style={{ width: 200 }} options={['Apple', 'Banana', 'Cherry'].map(v => ({ value: v, label: v }))} onChange={v => S.fruits = v} />
		<DatePicker aria-label="Day" defaultValue={dayjs('2026-03-10')} onChange={v => S.day = v?.format('YYYY-MM-DD')} />
		<Cascader aria-label="Place" options={[{ value: 'de', label: 'Germany', children: [{ value: 'kiel', label: 'Kiel' }] }, { value: 'fr', label: 'France', children: [{ value: 'lyon', label: 'Lyon' }] }]} onChange={v => S.place = v} />
		<TreeSelect aria-label="Node" style={{ width: 200 }} treeDefaultExpandAll treeData={[{ value: 'p', title: 'Parent', children: [{ value: 'c', title: 'Child' }] }]} onChange={v => S.node = v} />
		<Slider defaultValue={30} onChange={v => S.slider = v} />
		<Rate onChange={v => S.rate = v} />
		<Switch aria-label="Dark" onChange={v => S.dark = v} />
		<InputNumber aria-label="Amount" defaultValue={3} onChange={v => S.amount = v} />
		<Dropdown trigger={['hover']} menu={{ items: [{ key: 'a', label: 'First item' }, { key: 'b', label: 'Second item' }], onClick: e => S.item = e.key }}><a>Hover me</a></Dropdown>
		<Button onClick={() => setOpen(true)}>Open modal</Button><Modal title="Terms" open={open} onOk={() => { S.ok = true; setOpen(false); }} onCancel={() => setOpen(false)}>Read them</Modal>
		<Popconfirm title="Delete the task?" onConfirm={() => S.deleted = true} okText="Yes" cancelText="No"><Button danger>Delete</Button></Popconfirm>
		<Button onClick={() => say.success('Stored in the cellar')}>Store</Button>
		<Segmented options={['Daily', 'Weekly']} onChange={v => S.seg = v} />
		<Tree checkable defaultExpandAll treeData={[{ key: 'r', title: 'Root', children: [{ key: 'l', title: 'Leaf' }] }]} onCheck={v => S.checked = v} />
		<Table size="small" pagination={{ pageSize: 5 }} rowSelection={{ onChange: k => S.rows = k }} dataSource={rows} columns={[{ title: 'Name', dataIndex: 'name' }, { title: 'Age', dataIndex: 'age', sorter: (a, b) => a.age - b.age }]} />
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
