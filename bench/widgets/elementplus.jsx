import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import * as E from 'element-plus';
import 'element-plus/dist/index.css';
const S = window.S = reactive({ city: '', cities: [], day: new Date(2026, 2, 10), on: false, volume: 10, rate: 0, number: 1, open: false, tab: 'a', time: null, place: [], word: '' });
createApp({
	setup: () => ({ s: S, towns: Array.from({ length: 30 }, (_, i) => 'Town ' + i), ask: (q, cb) => cb(['violet', 'viola'].filter(x => x.startsWith(q)).map(value => ({ value }))), tell: () => E.ElMessage('Saved to disk') }),
	template: `<div style="padding:20px;width:600px">
	<el-select v-model="s.city" aria-label="Town"><el-option v-for="t in towns" :key="t" :value="t" :label="t"/></el-select>
	<el-select v-model="s.cities" multiple filterable aria-label="Towns"><el-option v-for="t in towns" :key="t" :value="t" :label="t"/></el-select>
	<el-autocomplete v-model="s.word" :fetch-suggestions="ask" aria-label="Flower"/>
	<el-date-picker v-model="s.day" type="date" aria-label="Day"/>
	<el-cascader v-model="s.place" aria-label="Place" :options="[{value:'de',label:'Germany',children:[{value:'kiel',label:'Kiel'}]},{value:'fr',label:'France',children:[{value:'lyon',label:'Lyon'}]}]"/>
	<el-switch v-model="s.on" aria-label="Power"/><el-slider v-model="s.volume" aria-label="Volume"/><el-rate v-model="s.rate"/><el-input-number v-model="s.number" aria-label="Count"/>
	<el-dropdown><span>Hover menu</span><template #dropdown><el-dropdown-menu><el-dropdown-item @click="s.item=1">Rename</el-dropdown-item><el-dropdown-item @click="s.item=2">Share</el-dropdown-item></el-dropdown-menu></template></el-dropdown>
	<el-button @click="s.open=true">Open dialog</el-button><el-dialog v-model="s.open" title="Notice">All is well<el-button @click="s.open=false;s.done=true">Fine</el-button></el-dialog>
	<el-button @click="tell">Save</el-button>
	<el-tabs v-model="s.tab"><el-tab-pane label="User" name="a">Users here</el-tab-pane><el-tab-pane label="Role" name="b">Roles here</el-tab-pane></el-tabs>
	<el-collapse><el-collapse-item title="Consistency">Like real life</el-collapse-item></el-collapse></div>`,
}).use(E.default).mount('#root');
