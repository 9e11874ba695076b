import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import Antd, { message, Modal, notification } from 'ant-design-vue';
import 'ant-design-vue/dist/reset.css';
import dayjs from 'dayjs';
const S = window.S = reactive({ fruit: undefined, tags: [], day: undefined, range: undefined, time: undefined, cascade: undefined, tree: undefined, checked: [], on: false, vol: 30, num: 3, stars: 2, auto: '', page: 1, tab: '1', step: 0, open: false, drawer: false, acc: [], moved: ['0'], seg: 'Daily', boxes: [], radio: 'a', edit: '', text: 'Ada' });
const app = createApp({
	setup: () => ({
		S, message, ask: () => Modal.confirm({ title: 'Do you want to delete these items?', content: 'Some descriptions', onOk() { S.deleted = true; } }),
		note: () => notification.open({ message: 'Notification Title', description: 'This is the content of the notification.' }), toast: () => message.success('This is a success message'),
		cities: [{ value: 'zhejiang', label: 'Zhejiang', children: [{ value: 'hangzhou', label: 'Hangzhou', children: [{ value: 'xihu', label: 'West Lake' }] }] }, { value: 'jiangsu', label: 'Jiangsu', children: [{ value: 'nanjing', label: 'Nanjing' }] }],
		tree: [{ title: 'parent 1', key: 'p1', value: 'p1', children: [{ title: 'leaf one', key: 'l1', value: 'l1' }, { title: 'leaf two', key: 'l2', value: 'l2' }] }, { title: 'parent 2', key: 'p2', value: 'p2' }],
		rows: [{ key: 1, name: 'John', age: 32 }, { key: 2, name: 'Jim', age: 42 }, { key: 3, name: 'Joe', age: 22 }],
		cols: [{ title: 'Name', dataIndex: 'name', key: 'name', filters: [{ text: 'Joe', value: 'Joe' }, { text: 'Jim', value: 'Jim' }], onFilter: (v, r) => r.name === v }, { title: 'Age', dataIndex: 'age', key: 'age', sorter: (a, b) => a.age - b.age }, { title: 'Action', key: 'action' }],
		auto: (t) => S.opts = t ? ['.gmail.com', '.163.com'].map(d => ({ value: t + d })) : [], transfer: Array.from({ length: 4 }, (_, i) => ({ key: String(i), title: 'content' + (i + 1) })),
		change: (p, f, s, x) => S.order = x.currentDataSource.map(r => r.name).join(), base: dayjs('2026-03-10'),
	}),
	template: `<div style="width:700px;padding:20px">
	<a-select v-model:value="S.fruit" style="width:200px" placeholder="Select a person" :options="['Jack','Lucy','Tom'].map(x => ({ value: x.toLowerCase(), label: x }))" />
	<a-select v-model:value="S.find" show-search style="width:200px" placeholder="Search a person" option-filter-prop="label" :options="['Jack','Lucy','Tom','Ludwig'].map(x => ({ value: x.toLowerCase(), label: x }))" />
	<a-select v-model:value="S.tags" mode="tags" style="width:100%" placeholder="Tags Mode" :options="['a1','b2','c3'].map(x => ({ value: x }))" />
	<a-select v-model:value="S.multi" mode="multiple" style="width:100%" placeholder="Please select" :options="Array.from({ length: 25 }, (_, i) => ({ value: (i + 10).toString(36) + (i + 1) }))" />
	<a-date-picker v-model:value="S.day" :default-picker-value="base" value-format="YYYY-MM-DD" />
	<a-range-picker v-model:value="S.range" :default-picker-value="[base, base]" value-format="YYYY-MM-DD" />
	<a-time-picker v-model:value="S.time" value-format="HH:mm:ss" />
	<a-cascader v-model:value="S.cascade" :options="cities" placeholder="Please select city" />
	<a-tree-select v-model:value="S.treev" style="width:200px" placeholder="Pick a node" :tree-data="tree" tree-default-expand-all />
	<a-tree :tree-data="tree" checkable v-model:checkedKeys="S.checked" @select="k => S.node = k[0]" />
	<a-switch v-model:checked="S.on" aria-label="Wifi" /> <a-slider v-model:value="S.vol" id="vol" style="width:200px" />
	<a-input-number v-model:value="S.num" :min="1" :max="10" /> <a-rate v-model:value="S.stars" />
	<a-auto-complete v-model:value="S.auto" :options="S.opts" style="width:200px" placeholder="input here" @search="auto" />
	<a-form :model="S" layout="vertical" @finish="S.sent = true"><a-form-item label="Username" name="user" :rules="[{ required: true, message: 'Please input your username!' }]"><a-input v-model:value="S.user" /></a-form-item><a-button html-type="submit">Submit</a-button></a-form>
	<a-table :columns="cols" :data-source="rows" :row-selection="{ onChange: k => S.sel = k.join() }" :pagination="{ pageSize: 2 }" @change="change" size="small"><template #bodyCell="{ column, record }"><a-popconfirm v-if="column.key === 'action'" title="Sure to delete?" @confirm="S.gone = record.name"><a>Delete</a></a-popconfirm></template></a-table>
	<a-tabs v-model:activeKey="S.tab"><a-tab-pane key="1" tab="Tab 1">Content of Tab Pane 1</a-tab-pane><a-tab-pane key="2" tab="Tab 2">Content of Tab Pane 2</a-tab-pane></a-tabs>
	<a-collapse v-model:activeKey="S.acc"><a-collapse-panel key="1" header="This is panel header 1"><p>A dog is a type of animal.</p></a-collapse-panel></a-collapse>
	<a-steps :current="S.step" @change="v => S.step = v" :items="[{ title: 'First' }, { title: 'Second' }, { title: 'Third' }]" />
	<a-button @click="S.open = true">Open Modal</a-button><a-modal v-model:open="S.open" title="Basic Modal" @ok="S.open = false; S.okd = true"><p>Some contents...</p></a-modal>
	<a-button @click="S.drawer = true">Open Drawer</a-button><a-drawer v-model:open="S.drawer" title="Basic Drawer"><p>Drawer contents</p></a-drawer>
	<a-button @click="ask">Confirm</a-button><a-button @click="note">Notify</a-button><a-button @click="toast">Message</a-button>
	<a-dropdown><a class="ant-dropdown-link" @click.prevent>Hover me</a><template #overlay><a-menu @click="e => S.item = e.key"><a-menu-item key="1st">1st menu item</a-menu-item><a-sub-menu key="sub" title="sub menu"><a-menu-item key="3rd">3rd menu item</a-menu-item></a-sub-menu></a-menu></template></a-dropdown>
	<a-tooltip title="prompt text"><span>Tooltip will show</span></a-tooltip> <a-popover title="Title" trigger="click"><template #content><p>Popover body</p></template><a-button>Pop</a-button></a-popover>
	<a-transfer :data-source="transfer" :titles="['Source', 'Target']" :target-keys="S.moved" :render="i => i.title" @change="k => S.moved = k" />
	<a-segmented v-model:value="S.seg" :options="['Daily', 'Weekly', 'Monthly']" />
	<a-radio-group v-model:value="S.radio" button-style="solid"><a-radio-button value="a">Hangzhou</a-radio-button><a-radio-button value="b">Shanghai</a-radio-button></a-radio-group>
	<a-checkbox-group v-model:value="S.boxes" :options="['Apple', 'Pear']" />
	<a-typography-paragraph v-model:content="S.text" editable />
	<a-upload :before-upload="f => { S.file = f.name; return false; }"><a-button>Click to Upload</a-button></a-upload>
	<a-mentions v-model:value="S.ment" placeholder="Mention somebody" :options="['afc163', 'zombieJ', 'yesmeck'].map(x => ({ value: x, label: x }))" />
	</div>`,
});
app.use(Antd).mount('#root');
