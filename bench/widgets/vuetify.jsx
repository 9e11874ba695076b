import 'vuetify/styles';
import { createApp, h, reactive } from 'vue/dist/vue.esm-bundler.js';
import { createVuetify } from 'vuetify';
import * as components from 'vuetify/components';
const S = window.S = reactive({ size: null, town: null, many: [], volume: 20, on: false, agree: false, tab: 'a', open: false, day: null, stars: 0, pay: null, note: '', page: 1, snack: false, otp: '', file: null });
const app = createApp({
	setup: () => ({ S, day: new Date(2026, 2, 10) }),
	template: `<v-app><v-main><div style="padding:20px;width:600px">
	<v-select label="Size" :items="['Small','Medium','Large']" v-model="S.size" />
	<v-autocomplete label="Town" :items="['Oslo','Lima','Linz']" v-model="S.town" />
	<v-combobox label="Tags" multiple chips :items="['red','blue']" v-model="S.many" />
	<v-slider label="Volume" v-model="S.volume" :step="1" />
	<v-switch label="Power" v-model="S.on" /><v-checkbox label="Agree" v-model="S.agree" />
	<v-radio-group label="Pay" v-model="S.pay"><v-radio label="Cash" value="cash" /><v-radio label="Card" value="card" /></v-radio-group>
	<v-text-field label="Note" clearable v-model="S.note" />
	<v-rating v-model="S.stars" hover item-aria-label="{0} of {1} stars" />
	<v-menu><template #activator="{ props }"><v-btn v-bind="props">Menu</v-btn></template><v-list><v-list-item title="Copy" @click="S.item='copy'" /><v-list-item title="Paste" @click="S.item='paste'" /></v-list></v-menu>
	<v-dialog v-model="S.open" width="300"><template #activator="{ props }"><v-btn v-bind="props">Open dialog</v-btn></template><v-card title="Terms" text="Read them"><v-card-actions><v-btn @click="S.ok=true;S.open=false">Accept</v-btn></v-card-actions></v-card></v-dialog>
	<v-tabs v-model="S.tab"><v-tab value="a">One</v-tab><v-tab value="b">Two</v-tab></v-tabs><v-window v-model="S.tab"><v-window-item value="a">First panel</v-window-item><v-window-item value="b">Second panel</v-window-item></v-window>
	<v-expansion-panels><v-expansion-panel title="More" text="Hidden treasure" /></v-expansion-panels>
	<v-pagination :length="5" v-model="S.page" />
	<v-btn @click="S.snack=true">Notify</v-btn><v-snackbar v-model="S.snack">Hello from the bar</v-snackbar>
	<v-tooltip text="Only a hint"><template #activator="{ props }"><v-btn v-bind="props">Hint</v-btn></template></v-tooltip>
	<v-otp-input v-model="S.otp" length="4" />
	<v-date-picker v-model="S.day" :month="2" :year="2026" />
	</div></v-main></v-app>` });
app.use(createVuetify({ components })).mount('#root');
