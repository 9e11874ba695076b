import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import TDesign from 'tdesign-vue-next';
import 'tdesign-vue-next/es/style/index.css';
const S = window.S = reactive({ town: '', crew: [], day: '', span: [], time: '', volume: 20, on: false, agree: [], pay: '', stars: 0, dlg: false, tags: ['a'], colour: '#0052d9', n: 1, tab: 1, node: '', path: '', moved: [], page: 1, sel: [], step: 0, note: '', draw: false, mention: '' });
createApp({
	setup: () => ({
		S, opts: ['Oslo', 'Lima', 'Linz'].map(x => ({ label: x, value: x })), people: ['Ann', 'Bo', 'Cy'].map(x => ({ label: x, value: x })),
		tree: [{ label: 'Deck', value: 'deck', children: [{ label: 'Mast', value: 'mast' }, { label: 'Rail', value: 'rail' }] }, { label: 'Hold', value: 'hold' }],
		cols: [{ colKey: 'row-select', type: 'multiple', width: 50 }, { colKey: 'name', title: 'Name', sorter: true }, { colKey: 'tons', title: 'Tons' }], rows: [{ id: 1, name: 'Tern', tons: 47 }, { id: 2, name: 'Gull', tons: 12 }],
		menu: [{ content: 'Copy', value: 'copy' }, { content: 'Export', value: 'x', children: [{ content: 'As PDF', value: 'pdf' }, { content: 'As CSV', value: 'csv' }] }],
		pick: d => { S.item = d.value; },
	}),
	template: `<div style="width:700px;padding:20px">
	<label>Town</label><t-select v-model="S.town" :options="opts" filterable placeholder="Choose a town" />
	<label>Crew</label><t-select v-model="S.crew" :options="people" multiple placeholder="Choose the crew" />
	<label>Day</label><t-date-picker v-model="S.day" default-value="" placeholder="Choose a day" :default-time="'00:00:00'" />
	<label>Time</label><t-time-picker v-model="S.time" placeholder="Choose a time" />
	<label>Volume</label><t-slider v-model="S.volume" />
	<p>Night watch <t-switch v-model="S.on" /></p>
	<t-checkbox-group v-model="S.agree" :options="['Oar','Sail']" />
	<t-radio-group v-model="S.pay" variant="default-filled"><t-radio-button value="cash">Cash</t-radio-button><t-radio-button value="card">Card</t-radio-button></t-radio-group>
	<p>Rating <t-rate v-model="S.stars" /></p>
	<label>Tags</label><t-tag-input v-model="S.tags" />
	<label>Boats</label><t-input-number v-model="S.n" />
	<label>Part</label><t-tree-select v-model="S.node" :data="tree" placeholder="Choose a part" />
	<label>Where</label><t-cascader v-model="S.path" :options="tree" placeholder="Choose where" />
	<p>Colour <t-color-picker v-model="S.colour" /></p>
	<t-transfer v-model="S.moved" :data="people" />
	<t-table row-key="id" :data="rows" :columns="cols" v-model:selected-row-keys="S.sel" @sort-change="v => { S.sort = v && v.sortBy }" />
	<t-pagination v-model="S.page" :total="95" :page-size="10" />
	<t-dropdown :options="menu" @click="pick"><t-button>Actions</t-button></t-dropdown>
	<t-button @click="S.dlg=true">Sink</t-button><t-dialog v-model:visible="S.dlg" header="Sink the boat?" body="It cannot be raised again." confirm-btn="Sink it" cancel-btn="Keep" @confirm="S.sunk=true;S.dlg=false" />
	<t-button @click="S.draw=true">Drawer</t-button><t-drawer v-model:visible="S.draw" header="Harbour log"><p>Quiet night</p></t-drawer>
	<t-popconfirm content="Really leave?" @confirm="S.left=true"><t-button>Leave</t-button></t-popconfirm>
	<t-collapse><t-collapse-panel header="More">Hidden treasure</t-collapse-panel></t-collapse>
	<t-tabs v-model="S.tab"><t-tab-panel :value="1" label="Hull"><p>Oak planks</p></t-tab-panel><t-tab-panel :value="2" label="Sails"><p>Red canvas</p></t-tab-panel></t-tabs>
	<t-tree :data="tree" checkable hover @change="v => { S.parts = v.join() }" />
	<t-auto-complete v-model="S.note" :options="['Anchor','Anvil','Boat']" placeholder="Search gear" />
	</div>`,
}).use(TDesign).mount('#root');
