import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import { createVuestic } from 'vuestic-ui';
import 'vuestic-ui/css';
const S = window.S = reactive({ town: '', crew: [], day: null, volume: 20, on: false, agree: false, pay: '', stars: 0, dlg: false, note: '', count: 1, time: null, tab: 1, open: [], sort: null, rows: [] });
createApp({
	setup: () => ({ S, view: { year: 2026, month: 2 }, columns: [{ key: 'name', sortable: true }, { key: 'tons', sortable: true }], items: [{ name: 'Ann', tons: 47 }, { name: 'Bo', tons: 12 }] }),
	template: `<div style="padding:20px;width:500px">
	<va-select v-model="S.town" label="Town" :options="['Oslo','Lima','Linz']" /><va-select v-model="S.crew" label="Crew" multiple :options="['Ann','Bo','Cy']" />
	<va-date-input v-model="S.day" label="Day" :view="view" /><va-time-input v-model="S.time" label="Time" />
	<va-slider v-model="S.volume" label="Volume" track-label-visible /><va-rating v-model="S.stars" /><va-counter v-model="S.count" label="Boats" manual-input />
	<va-switch v-model="S.on" label="Wake me" /><va-checkbox v-model="S.agree" label="Agree" /><va-radio v-model="S.pay" :options="['Cash','Card']" />
	<va-button @click="S.dlg=true">Drop boat</va-button><va-modal v-model="S.dlg" title="Delete the boat?" message="It cannot be brought back" ok-text="Delete" @ok="S.gone=true" />
	<va-button-dropdown label="Actions"><div><va-button @click="S.item='copy'">Copy</va-button><va-button @click="S.item='paste'">Paste</va-button></div></va-button-dropdown>
	<va-tabs v-model="S.tab"><template #tabs><va-tab :name="1">One</va-tab><va-tab :name="2">Two</va-tab></template></va-tabs><p v-if="S.tab==2">Second panel</p>
	<va-collapse header="More"><div>Hidden treasure</div></va-collapse><va-input v-model="S.note" label="Note" clearable />
	<va-data-table :items="items" :columns="columns" selectable v-model="S.rows" v-model:sort-by="S.sort" />
	</div>`,
}).use(createVuestic()).mount('#root');
