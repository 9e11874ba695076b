import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import { Quasar, Notify, QSelect, QInput, QSlider, QRange, QToggle, QCheckbox, QBtn, QMenu, QList, QItem, QItemSection, QDate, QRating, QTabs, QTab, QTree, QExpansionItem, QBtnDropdown, ClosePopup } from 'quasar';
import 'quasar/dist/quasar.css';
const S = window.S = reactive({ size: null, many: [], volume: 20, on: false, agree: false, day: '2026/03/10', stars: 0, tab: 'a', note: '', node: null });
const app = createApp({ setup: () => ({ S, say: () => Notify.create('Hello there') }), template: `<div style="padding:20px;width:500px">
<q-select label="Size" :options="['Small','Large']" v-model="S.size" /><q-select label="Skills" multiple use-chips :options="['Go','C','Rust']" v-model="S.many" />
<q-input label="Note" v-model="S.note" /><q-slider v-model="S.volume" aria-label="Volume" /><q-toggle label="Power" v-model="S.on" /><q-checkbox label="Agree" v-model="S.agree" />
<q-btn label="Menu"><q-menu><q-list><q-item clickable v-close-popup @click="S.item='copy'"><q-item-section>Copy</q-item-section></q-item><q-item clickable v-close-popup @click="S.item='paste'"><q-item-section>Paste</q-item-section></q-item></q-list></q-menu></q-btn>
<q-rating v-model="S.stars" /><q-date v-model="S.day" /><q-tree :nodes="[{label:'Root',children:[{label:'Leaf'}]}]" node-key="label" v-model:selected="S.node" /><q-expansion-item label="More">Hidden treasure</q-expansion-item><q-btn label="Notify" @click="say" /></div>` });
app.use(Quasar, { plugins: { Notify }, components: { QSelect, QInput, QSlider, QRange, QToggle, QCheckbox, QBtn, QMenu, QList, QItem, QItemSection, QDate, QRating, QTabs, QTab, QTree, QExpansionItem, QBtnDropdown }, directives: { ClosePopup } }).mount('#root');
