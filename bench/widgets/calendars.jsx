import React from 'react';
import { createRoot } from 'react-dom/client';
import { Calendar as VC } from 'vanilla-calendar-pro';
import 'vanilla-calendar-pro/styles/index.css';
import { easepick, RangePlugin } from '@easepick/bundle';
import easeCSS from '@easepick/bundle/dist/index.css';
import { TempusDominus } from '@eonasdan/tempus-dominus';
import '@eonasdan/tempus-dominus/dist/css/tempus-dominus.css';
import { DateRange } from 'react-date-range';
import 'react-date-range/dist/styles.css';
import 'react-date-range/dist/theme/default.css';
import Calendar from 'react-calendar';
import 'react-calendar/dist/Calendar.css';
import 'cally';
import { defineCustomElements } from '@duetds/date-picker/dist/loader';
import { DuetDatePicker } from '@duetds/date-picker/custom-element';
import '@duetds/date-picker/dist/duet/themes/default.css';
const S = window.S = {};
if (!customElements.get('duet-date-picker')) customElements.define('duet-date-picker', DuetDatePicker);
const on = f => e => { if (e && !e.done) { e.done = true; f(e); } };
function App() {
	const [range, setRange] = React.useState([{ startDate: new Date(2026, 2, 10), endDate: new Date(2026, 2, 12), key: 'selection' }]);
	return <div style={{ padding: 20, width: 700 }}>
		<label>Booking <input id="vc" readOnly /></label><label>Stay <input id="ep" defaultValue="2026-03-10" /></label><label>Meeting <input id="td" /></label>
		<label>Arrival <duet-date-picker identifier="duet" value="2026-03-10" ref={on(e => e.addEventListener('duetChange', x => { S.duet = x.detail.value; }))} /></label>
		<h2>Holiday</h2><DateRange ranges={range} onChange={x => { setRange([x.selection]); S.from = x.selection.startDate.getDate(); S.to = x.selection.endDate.getDate(); }} />
		<h2>Feast</h2><Calendar defaultValue={new Date(2026, 2, 10)} onChange={d => { S.feast = d.getMonth() + '-' + d.getDate(); }} />
		<h2>Tide</h2><calendar-range months={1} value="2026-03-10/2026-03-12" ref={on(e => e.addEventListener('change', () => { S.tide = e.value; }))}><button slot="previous">Before</button><button slot="next">After</button><calendar-month /></calendar-range></div>;
}
createRoot(document.getElementById('root')).render(<App />);
setTimeout(() => {
	new VC('#vc', { inputMode: true, selectedMonth: 2, selectedYear: 2026, onChangeToInput: c => { c.context.inputElement.value = c.context.selectedDates[0] || ''; S.booking = c.context.selectedDates[0]; } }).init();
	const ep = new easepick.create({ element: '#ep', css: [URL.createObjectURL(new Blob([document.querySelector('link') ? '' : ''], { type: 'text/css' }))], plugins: [RangePlugin], setup(p) { p.on('select', e => { S.stay = [e.detail.start, e.detail.end].map(d => d.format('DD')).join(); }); } });
	new TempusDominus(document.getElementById('td'), { defaultDate: new Date(2026, 2, 10, 9, 0), localization: { format: 'yyyy-MM-dd HH:mm', locale: 'en' }, display: { icons: { type: 'icons', time: 'i time', date: 'i date', up: 'i up', down: 'i down', previous: 'i prev', next: 'i next', today: 'i today', clear: 'i clear', close: 'i close' } } });
	document.getElementById('td').addEventListener('change.td', e => { S.meet = e.detail.date && e.detail.date.getDate() + ' ' + e.detail.date.getHours(); });
}, 200);
