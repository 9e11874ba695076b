import { Calendar } from '@fullcalendar/core';
import dayGrid from '@fullcalendar/daygrid';
import interaction from '@fullcalendar/interaction';
const S = window.S = {};
const c = new Calendar(document.getElementById('root'), { plugins: [dayGrid, interaction], initialDate: '2026-03-10', editable: true, height: 600, events: [{ id: 'x', title: 'Dentist', start: '2026-03-11' }], dateClick: i => S.date = i.dateStr, eventClick: i => S.event = i.event.title, eventDrop: i => S.moved = i.event.startStr });
c.render();
