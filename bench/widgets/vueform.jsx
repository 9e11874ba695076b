import { createApp, h, reactive } from 'vue';
import Multiselect from '@vueform/multiselect';
import '@vueform/multiselect/themes/default.css';
import Slider from '@vueform/slider';
import '@vueform/slider/themes/default.css';
const S = window.S = reactive({ town: null, crew: [], tags: ['tar'], volume: 20, range: [20, 60] });
const model = name => ({ modelValue: S[name], value: S[name], onInput: v => { S[name] = v; } });
const field = (label, name, more) => h('div', { style: 'width:400px;margin:20px' }, [h('p', { id: name }, label), h(Multiselect, { ...model(name), ...more, aria: { 'aria-labelledby': name } })]);
createApp({ render: () => [
	field('Town', 'town', { options: ['Oslo', 'Lima', 'Linz', 'Lyon'], searchable: true, placeholder: 'Choose a town' }),
	field('Crew', 'crew', { options: ['Ann', 'Bo', 'Cy'], mode: 'multiple', closeOnSelect: false, hideSelected: false }),
	field('Tags', 'tags', { options: ['tar', 'rope', 'oar'], mode: 'tags', searchable: true, createOption: true }),
	h('div', { style: 'width:400px;margin:60px 20px' }, [h(Slider, { ...model('volume'), onUpdate: v => { S.volume = v; }, aria: { 'aria-label': 'Volume' } })]),
] }).mount('#root');
