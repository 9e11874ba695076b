import React from 'react';
import { createRoot } from 'react-dom/client';
import DatePicker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
const S = window.S = {};
function App() { const [d, set] = React.useState(new Date(2026, 2, 10)); S.day = d && [d.getFullYear(), d.getMonth() + 1, d.getDate()].join('-'); return <DatePicker ariaLabelledBy="l" id="d" aria-label="Day" selected={d} onChange={set} />; }
createRoot(document.getElementById('root')).render(<label id="l">Day <App /></label>);
