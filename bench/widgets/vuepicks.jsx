import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import vSelect from 'vue-select';
import 'vue-select/dist/vue-select.css';
import * as VD from '@vuepic/vue-datepicker';
import '@vuepic/vue-datepicker/dist/main.css';
import { setupCalendar, Calendar, DatePicker } from 'v-calendar';
import 'v-calendar/dist/style.css';
const S = window.S = reactive({ country: null, several: [], tags: [], person: null, day: null, range: null, time: null, month: null, inline: new Date(2026, 2, 10), vday: new Date(2026, 2, 10), vrange: { start: new Date(2026, 2, 10), end: new Date(2026, 2, 12) }, vinput: null, start: new Date(2026, 2, 10), opts: [] });
const app = createApp({
	setup: () => ({ S, fmt: d => d && `${d.getFullYear()}-${d.getMonth() + 1}-${d.getDate()}`, ask: (q, load) => { if (!q) return; load(true); setTimeout(() => { S.opts = ['vuejs/vue', 'vuejs/core', 'sagalbot/vue-select'].filter(x => x.includes(q)); load(false); }, 300); },
		attrs: [{ key: 'today', highlight: true, dates: new Date(2026, 2, 14), popover: { label: 'Pi day party' } }] }),
	template: `<div style="width:500px;padding:20px">
	<label for="c">Country</label><v-select input-id="c" :options="['Canada','United States','Mexico','Cambodia']" v-model="S.country" />
	<p>Several</p><v-select multiple :options="['Canada','United States','Mexico','Cambodia']" v-model="S.several" placeholder="Choose countries" />
	<p>Tags</p><v-select taggable multiple push-tags v-model="S.tags" placeholder="Write a tag" :no-drop="true" />
	<p>Repository</p><v-select :options="S.opts" @search="ask" v-model="S.repo" :filterable="false" placeholder="Search GitHub.." />
	<p>Person</p><v-select :options="[{ label: 'Ada Lovelace', code: 'al' }, { label: 'Alan Turing', code: 'at' }]" :reduce="p => p.code" v-model="S.person" :clearable="true" placeholder="Pick a person" />
	<p>Day</p><VueDatePicker v-model="S.day" placeholder="Select Date" :start-date="S.start" :time-config="{ enableTimePicker: false }" auto-apply />
	<p>Stay</p><VueDatePicker v-model="S.range" range placeholder="Stay from to" :start-date="S.start" :time-config="{ enableTimePicker: false }" />
	<p>Hour</p><VueDatePicker v-model="S.time" time-picker placeholder="Select Time" />
	<p>Typed</p><VueDatePicker v-model="S.typed" text-input :text-input="{ format: 'MM/dd/yyyy' }" placeholder="Start typing" :formats="{ input: 'MM/dd/yyyy' }" />
	<h3>v-calendar</h3>
	<div id="vc"><VDatePicker v-model="S.vday" /></div>
	<p>Inline calendar</p><VCalendar :initial-page="{ month: 3, year: 2026 }" :attributes="attrs" @dayclick="d => S.clicked = d.id" />
	<VDatePicker v-model="S.vinput" :initial-page="{ month: 3, year: 2026 }" :popover="{ visibility: 'click' }"><template #default="{ inputValue, inputEvents }"><input :value="inputValue" v-on="inputEvents" placeholder="Birthday" /></template></VDatePicker>
	<div style="height:300px"></div></div>`,
});
app.component('v-select', vSelect).component('VueDatePicker', VD.VueDatePicker || VD.default).use(setupCalendar, {}).component('VCalendar', Calendar).component('VDatePicker', DatePicker).mount('#root');
