import React from 'react';
import { createRoot } from 'react-dom/client';
import { DayPicker } from 'react-day-picker';
import 'react-day-picker/style.css';
const S = window.S = {};
const say = d => d && [d.getFullYear(), d.getMonth() + 1, d.getDate()].join('-');
function App() { const [r, set] = React.useState(); S.range = r && say(r.from) + ' ' + say(r.to); return <DayPicker mode="range" defaultMonth={new Date(2026, 2)} selected={r} onSelect={set} />; }
createRoot(document.getElementById('root')).render(<App />);
