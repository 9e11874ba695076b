import React from 'react';
import { createRoot } from 'react-dom/client';
import { LocalizationProvider, DatePicker, TimePicker } from '@mui/x-date-pickers';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import dayjs from 'dayjs';
const S = window.S = {};
createRoot(document.getElementById('root')).render(<LocalizationProvider dateAdapter={AdapterDayjs}><div style={{ padding: 30 }}>
	<DatePicker label="Departure" defaultValue={dayjs('2026-03-10')} onChange={v => S.date = v?.format('YYYY-MM-DD')} />
	<TimePicker label="Time" defaultValue={dayjs('2026-03-10T09:00')} onChange={v => S.time = v?.format('HH:mm')} />
</div></LocalizationProvider>);
