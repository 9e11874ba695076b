import { createApp, computed, reactive } from 'vue/dist/vue.esm-bundler.js';
import { createOruga, OrugaComponentPlugins } from '@oruga-ui/oruga-next';
import '../node_modules/@oruga-ui/theme-oruga/dist/theme.css';
const S = window.S = reactive({ city: null, text: '', day: null, time: null, tags: ['sail'], vol: 20, on: false, open: false, tab: 'a', step: '1', act: '', sel: null, check: false, radio: 'x', rows: [{ id: 1, name: 'Cy' }, { id: 2, name: 'Ann' }], collapse: false, rate: 2 });
const cities = ['Lisbon', 'Oslo', 'Porto', 'Quito'];
const found = computed(() => cities.filter(c => c.toLowerCase().includes((S.text || '').toLowerCase())));
createApp({ setup: () => ({ S, found }), template: `<div style="padding:20px;width:700px">
<o-field label="City"><o-autocomplete v-model="S.city" v-model:input="S.text" :options="found" placeholder="e.g. Oslo" open-on-focus /></o-field>
<o-field label="Day"><o-datepicker v-model="S.day" placeholder="Click to select" locale="en-GB" :focused-date="new Date(2026, 2, 1)" /></o-field>
<o-field label="Hour"><o-timepicker v-model="S.time" placeholder="Choose a time" locale="en-GB" /></o-field>
<o-field label="Labels"><o-taginput v-model="S.tags" allow-new placeholder="Add an item" /></o-field>
<o-field label="Volume"><o-slider v-model="S.vol" /></o-field>
<o-switch v-model="S.on">Shelf light</o-switch><o-checkbox v-model="S.check">Agree</o-checkbox><o-radio v-model="S.radio" native-value="x">Mail</o-radio><o-radio v-model="S.radio" native-value="y">Phone</o-radio>
<o-dropdown @select="v => S.act = v"><template #trigger><o-button>Actions</o-button></template><o-dropdown-item value="rename">Rename</o-dropdown-item><o-dropdown-item value="remove">Remove</o-dropdown-item></o-dropdown>
<o-field label="Port"><o-select v-model="S.sel" placeholder="Pick one"><option value="b">Brest</option><option value="n">Nantes</option></o-select></o-field>
<o-button @click="S.open = true">Open modal</o-button><o-modal v-model:active="S.open"><div style="background:#fff;padding:20px"><h2>Delete 3 boats?</h2><p>They cannot be brought back.</p><o-button @click="S.gone = true; S.open = false">Yes, delete</o-button></div></o-modal>
<o-tabs v-model="S.tab"><o-tab-item value="a" label="Music">Music here</o-tab-item><o-tab-item value="b" label="Videos">Videos here</o-tab-item></o-tabs>
<o-steps v-model="S.step"  ><o-step-item value="1" label="Account">Step account</o-step-item><o-step-item value="2" clickable label="Profile">Step profile</o-step-item></o-steps>
<o-table :data="S.rows" :columns="[{ field: 'id', label: 'No' }, { field: 'name', label: 'Name', sortable: true }]" checkable @check="v => S.checked = v.map(x => x.id)" />
<o-collapse><template #trigger><o-button>Details</o-button></template><p>Hidden details</p></o-collapse>
<o-tooltip label="A tip for you"><o-button>Tip</o-button></o-tooltip>
<o-pagination :total="60" :per-page="10" v-model:current="S.page" aria-page-label="Page" aria-next-label="Next page" />
</div>` }).use(createOruga({}, OrugaComponentPlugins)).mount('#root');
