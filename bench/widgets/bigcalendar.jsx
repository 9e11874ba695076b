import React from 'react';
import { createRoot } from 'react-dom/client';
import { Calendar, momentLocalizer } from 'react-big-calendar';
import dragAndDrop from 'react-big-calendar/lib/addons/dragAndDrop';
import moment from 'moment';
import 'react-big-calendar/lib/css/react-big-calendar.css';
import 'react-big-calendar/lib/addons/dragAndDrop/styles.css';
const S = window.S = {}, Moving = (dragAndDrop.default || dragAndDrop)(Calendar);
function App() {
	const [events, set] = React.useState([{ id: 1, title: 'Dentist', start: new Date(2026, 2, 11, 9), end: new Date(2026, 2, 11, 10) }]);
	const [view, see] = React.useState('month');
	S.events = events;
	return <Moving localizer={momentLocalizer(moment)} defaultDate={new Date(2026, 2, 10)} view={view} onView={see} events={events} style={{ height: 560, width: 800 }} selectable resizable={false}
		onEventDrop={({ event, start, end }) => set(all => all.map(e => e.id === event.id ? { ...e, start, end } : e))}
		onSelectSlot={({ start, end }) => set(all => [...all, { id: 9, title: 'New event', start, end }])} onSelectEvent={e => { S.chosen = e.title; }} />;
}
createRoot(document.getElementById('root')).render(<App />);
