import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<label>Arrival <input id=a></label> <label>Stay <input id=b></label><label>Alarm <input id=c></label>';
flatpickr('#a', { defaultDate: '2026-03-10', onChange: (_, s) => S.day = s });
flatpickr('#b', { mode: 'range', defaultDate: ['2026-03-03', '2026-03-04'], onChange: (_, s) => S.stay = s });
flatpickr('#c', { enableTime: true, noCalendar: true, dateFormat: 'H:i', defaultDate: '09:00', time_24hr: true, onChange: (_, s) => S.alarm = s });
