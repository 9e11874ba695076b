import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import Varlet, { Snackbar, Dialog, Locale } from '@varlet/ui';
import '@varlet/ui/es/style.mjs';
const S = window.S = reactive({ town: '', crew: [], day: '', time: '', volume: 20, stars: 0, wake: false, agree: false, pay: '', boats: 2, note: '', tab: 0, open: [], menu: false, sheet: false, pop: false, page: 1, files: [], port: '', dp: false, pk: false });
createApp({
	setup: () => ({ S, columns: [['Oslo', 'Lima', 'Linz'].map(text => ({ text, value: text }))], acts: [{ name: 'Copy' }, { name: 'Paste' }], Snackbar, sink: () => Dialog({ title: 'Sink the boat?', message: 'It cannot be raised again.', confirmButtonText: 'Sink it' }).then(a => { S.sunk = a; }), ports: ['Lisbon', 'Lima', 'Riga'] }),
	template: `<div style="padding:20px;width:500px">
	<var-select v-model="S.town" placeholder="Town"><var-option v-for="t in ['Oslo','Lima','Linz']" :label="t" :key="t" /></var-select>
	<var-select v-model="S.crew" multiple chip placeholder="Crew"><var-option v-for="t in ['Ann','Bo','Cy']" :label="t" :key="t" /></var-select>
	<var-auto-complete v-model="S.port" placeholder="Port" :options="ports.filter(p => p.toLowerCase().startsWith(S.port.toLowerCase())).map(p => ({label: p, value: p}))" />
	<var-input v-model="S.note" placeholder="Note" clearable /><var-counter v-model="S.boats" /><div style="padding:20px 0">Volume {{S.volume}}<var-slider v-model="S.volume" /></div>
	<var-rate v-model="S.stars" /><var-switch v-model="S.wake" /> Wake me <var-checkbox v-model="S.agree">Agree</var-checkbox><var-radio-group v-model="S.pay"><var-radio checked-value="cash">Cash</var-radio><var-radio checked-value="card">Card</var-radio></var-radio-group>
	<var-button @click="sink">Sink</var-button><var-button @click="Snackbar.success('Rope is tied')">Tie</var-button><var-button @click="S.sheet=true">Share</var-button><var-action-sheet v-model:show="S.sheet" title="Choose one" :actions="acts" @select="a => S.item = a.name" />
	<var-button @click="S.dp=true">Departure</var-button><var-popup v-model:show="S.dp"><var-date-picker v-model="S.day" @change="S.dp=false" /></var-popup>
	<var-button @click="S.pk=true">Wheel</var-button><var-picker popup v-model:show="S.pk" title="Towns" :columns="columns" @confirm="v => { S.wheel = v.join(); S.pk = false }" />
	<var-menu-select v-model="S.ms"><var-button>More acts</var-button><template #options><var-menu-option label="Cut" value="cut" /><var-menu-option label="Glue" value="glue" /></template></var-menu-select>
	<var-tabs v-model:active="S.tab"><var-tab>Hull</var-tab><var-tab>Sails</var-tab></var-tabs><var-tabs-items v-model:active="S.tab"><var-tab-item>Oak planks</var-tab-item><var-tab-item>Red canvas</var-tab-item></var-tabs-items>
	<var-collapse v-model="S.open"><var-collapse-item title="More" name="1">Hidden treasure</var-collapse-item></var-collapse>
	<var-pagination :current="S.page" :total="60" :size="10" @change="p => S.page = p" /><var-uploader v-model="S.files" /><var-button @click="S.pop=true">Log book</var-button><var-popup position="right" v-model:show="S.pop"><div style="padding:20px">Quiet night</div></var-popup>
	<var-time-picker v-model="S.time" /></div>`,
}).use(Varlet).mount('#root');
