import { createApp, h, reactive } from 'vue';
import { NSelect, NDatePicker, NSlider, NSwitch, NCheckbox, NInputNumber, NCascader, NTree, NRate, NDropdown, NButton, NModal, NTabs, NTabPane, NMessageProvider, useMessage, NDynamicTags, NTransfer } from 'naive-ui';
const S = window.S = reactive({ size: null, many: [], day: null, volume: 20, on: false, agree: false, count: 1, place: null, stars: 0, open: false, tags: ['a'], moved: [] });
const bind = k => ({ value: S[k], 'onUpdate:value': v => { S[k] = v; } });
const Say = { setup() { const m = useMessage(); return () => h(NButton, { onClick: () => m.success('Stored well') }, () => 'Notify'); } };
createApp({ render: () => h('div', { style: 'padding:20px;width:500px' }, [
	h(NSelect, { ...bind('size'), placeholder: 'Size', options: ['Small', 'Large'].map(x => ({ label: x, value: x })) }),
	h(NSelect, { ...bind('many'), multiple: true, filterable: true, placeholder: 'Skills', options: ['Go', 'C', 'Rust'].map(x => ({ label: x, value: x })) }),
	h(NDatePicker, { ...bind('day'), type: 'date', defaultCalendarStartTime: new Date(2026, 2, 10).getTime() }),
	h(NSlider, { ...bind('volume') }), h(NSwitch, { ...bind('on') }), h(NCheckbox, { checked: S.agree, 'onUpdate:checked': v => { S.agree = v; } }, () => 'Agree'), h(NInputNumber, { ...bind('count') }),
	h(NCascader, { ...bind('place'), placeholder: 'Place', options: [{ label: 'France', value: 'fr', children: [{ label: 'Lyon', value: 'lyon' }] }] }),
	h(NTree, { data: [{ key: 'r', label: 'Root', children: [{ key: 'l', label: 'Leaf' }] }], 'onUpdate:selectedKeys': k => { S.node = k[0]; } }),
	h(NRate, { ...bind('stars') }), h(NDropdown, { options: [{ label: 'Copy', key: 'copy' }, { label: 'Paste', key: 'paste' }], onSelect: k => { S.item = k; } }, () => h(NButton, null, () => 'Hover menu')),
	h(NButton, { onClick: () => { S.open = true; } }, () => 'Open modal'), h(NModal, { show: S.open, 'onUpdate:show': v => { S.open = v; }, preset: 'dialog', title: 'Terms', content: 'Read them', positiveText: 'Accept', onPositiveClick: () => { S.ok = true; } }),
	h(NTabs, null, () => [h(NTabPane, { name: 'a', tab: 'One' }, () => 'First panel'), h(NTabPane, { name: 'b', tab: 'Two' }, () => 'Second panel')]),
	h(NMessageProvider, null, () => h(Say)), h(NDynamicTags, bind('tags')), h(NTransfer, { ...bind('moved'), options: ['Pear', 'Plum'].map(x => ({ label: x, value: x })) })]) }).mount('#root');
