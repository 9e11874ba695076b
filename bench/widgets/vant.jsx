import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import Vant, { Locale } from 'vant';
import en from 'vant/es/locale/lang/en-US.mjs';
import 'vant/lib/index.css';
Locale.use('en-US', en);
const S = window.S = reactive({ town: '', show: false, volume: 30, stars: 0, on: false, count: 1, date: '', cal: false, sheet: false, dlg: false, checked: [], pay: '', note: '', tab: 0, pick: false, time: '' });
createApp({
	setup: () => ({ S, columns: ['Oslo', 'Lima', 'Linz', 'Paris'].map(t => ({ text: t, value: t })), min: new Date(2026, 2, 1), max: new Date(2026, 4, 31), actions: [{ name: 'Copy' }, { name: 'Paste' }] }),
	template: `<div style="padding:20px;width:400px">
	<van-field v-model="S.town" is-link readonly label="Town" placeholder="Choose a town" @click="S.show=true" />
	<van-popup v-model:show="S.show" position="bottom"><van-picker title="Towns" :columns="columns" @confirm="e => { S.town = e.selectedValues[0]; S.show = false; }" @cancel="S.show=false" /></van-popup>
	<van-cell title="Date" :value="S.date" @click="S.cal=true" /><van-calendar v-model:show="S.cal" :min-date="min" :max-date="max" :default-date="min" @confirm="d => { S.date = (d.getMonth()+1) + '/' + d.getDate(); S.cal = false; }" />
	<van-field v-model="S.time" is-link readonly label="Time" @click="S.pick=true" /><van-popup v-model:show="S.pick" position="bottom"><van-time-picker :model-value="['12','00']" title="When" @confirm="e => { S.time = e.selectedValues.join(':'); S.pick = false; }" /></van-popup>
	<p>Volume {{S.volume}}</p><van-slider v-model="S.volume" /><br>
	<van-rate v-model="S.stars" /><van-cell title="Wake me"><template #right-icon><van-switch v-model="S.on" /></template></van-cell>
	<van-cell title="Boats"><template #value><van-stepper v-model="S.count" max="9" /></template></van-cell>
	<van-cell title="Actions" is-link @click="S.sheet=true" /><van-action-sheet v-model:show="S.sheet" :actions="actions" @select="a => { S.item = a.name; S.sheet = false; }" cancel-text="Cancel" />
	<van-button @click="S.dlg=true">Drop boat</van-button><van-dialog v-model:show="S.dlg" title="Delete the boat?" message="It cannot be brought back" show-cancel-button @confirm="S.gone=true" />
	<van-checkbox-group v-model="S.checked"><van-checkbox name="red">Red</van-checkbox><van-checkbox name="blue">Blue</van-checkbox></van-checkbox-group>
	<van-radio-group v-model="S.pay"><van-radio name="cash">Cash</van-radio><van-radio name="card">Card</van-radio></van-radio-group>
	<van-field v-model="S.note" label="Note" clearable />
	<van-tabs v-model:active="S.tab"><van-tab title="One">First panel</van-tab><van-tab title="Two">Second panel</van-tab></van-tabs>
	<van-swipe-cell><van-cell title="Letter" value="of Ann" /><template #right><van-button square type="danger" text="Remove" @click="S.removed=true" /></template></van-swipe-cell>
	<van-collapse v-model="S.open"><van-collapse-item title="More" name="1">Hidden treasure</van-collapse-item></van-collapse>
	</div>`,
}).use(Vant).mount('#root');
S.open = [];
