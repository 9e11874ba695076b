import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import PrimeVue from 'primevue/config';
import Aura from '@primeuix/themes/aura';
import Select from 'primevue/select';
import MultiSelect from 'primevue/multiselect';
import AutoComplete from 'primevue/autocomplete';
import DatePicker from 'primevue/datepicker';
import Slider from 'primevue/slider';
import Rating from 'primevue/rating';
import CascadeSelect from 'primevue/cascadeselect';
import DataTable from 'primevue/datatable';
import Column from 'primevue/column';
import InputText from 'primevue/inputtext';
import ToggleSwitch from 'primevue/toggleswitch';
import Dialog from 'primevue/dialog';
import Button from 'primevue/button';
const S = window.S = reactive({ food: null, sides: [], town: '', found: [], day: new Date(2026, 2, 10), volume: 20, stars: 0, place: null, on: false, open: false, rows: [{ n: 'Gull', t: 10 }, { n: 'Tern', t: 20 }] });
const app = createApp({
	setup: () => ({ S, find: e => { S.found = ['Oslo', 'Lima', 'Linz'].filter(t => t.toLowerCase().includes(e.query.toLowerCase())); }, edited: e => { e.data[e.field] = e.newValue; },
		places: [{ name: 'Norway', cities: [{ name: 'Oslo' }, { name: 'Bergen' }] }, { name: 'Peru', cities: [{ name: 'Lima' }] }] }),
	template: `<div style="width:700px">
	<label id=lf>Food</label><Select aria-labelledby=lf v-model="S.food" :options="['Soup','Rice','Stew']" placeholder="Choose" />
	<label id=ls>Sides</label><MultiSelect aria-labelledby=ls v-model="S.sides" :options="['Bread','Olives','Salad']" />
	<label for=town>Town</label><AutoComplete inputId=town v-model="S.town" :suggestions="S.found" @complete="find" />
	<label for=day>Departure</label><DatePicker inputId=day v-model="S.day" showIcon showTime hourFormat="24" />
	<div style="margin:20px;width:300px"><Slider aria-label="Volume" v-model="S.volume" /></div>
	<Rating v-model="S.stars" /><label for=on>Power</label><ToggleSwitch inputId=on v-model="S.on" />
	<label id=lp>Place</label><CascadeSelect aria-labelledby=lp v-model="S.place" :options="places" optionLabel="name" optionGroupLabel="name" :optionGroupChildren="['cities']" placeholder="Choose a place" />
	<DataTable :value="S.rows" editMode="cell" @cell-edit-complete="edited"><Column field="n" header="Name"><template #editor="{ data, field }"><InputText v-model="data[field]" aria-label="New name" /></template></Column><Column field="t" header="Tons" sortable /></DataTable>
	<Button label="Delete" @click="S.open=true" /><Dialog v-model:visible="S.open" modal header="Delete 3 boats?"><p>They cannot be brought back.</p><Button label="Yes, delete" @click="S.gone=true;S.open=false" /></Dialog>
	</div>`,
});
app.use(PrimeVue, { theme: { preset: Aura } });
for (const [name, c] of Object.entries({ Select, MultiSelect, AutoComplete, DatePicker, Slider, Rating, CascadeSelect, DataTable, Column, InputText, ToggleSwitch, Dialog, Button })) app.component(name, c);
app.mount('#root');
