import React from 'react';
import { createRoot } from 'react-dom/client';
import { Dropdown } from 'primereact/dropdown';
import { MultiSelect } from 'primereact/multiselect';
import { Calendar } from 'primereact/calendar';
import { InputSwitch } from 'primereact/inputswitch';
import { Slider } from 'primereact/slider';
import { AutoComplete } from 'primereact/autocomplete';
import { Rating } from 'primereact/rating';
import { Checkbox } from 'primereact/checkbox';
import { Dialog } from 'primereact/dialog';
import 'primereact/resources/themes/lara-light-blue/theme.css';
const S = window.S = {};
function App() {
	const [s, set] = React.useState({ day: new Date(2026, 2, 10), open: false, volume: 20, many: [] });
	Object.assign(S, s);
	const [found, setFound] = React.useState([]);
	const put = x => set(o => ({ ...o, ...x }));
	return <div style={{ padding: 20, width: 500 }}>
		<Dropdown ariaLabel="City" value={s.city} options={['Kiel', 'Lyon', 'Oslo']} onChange={e => put({ city: e.value })} placeholder="City" />
		<MultiSelect ariaLabel="Cities" value={s.many} options={['Kiel', 'Lyon', 'Oslo']} onChange={e => put({ many: e.value })} placeholder="Cities" />
		<Calendar inputId="d" ariaLabel="Day" value={s.day} onChange={e => put({ day: e.value })} />
		<label htmlFor="w">Power</label><InputSwitch inputId="w" checked={!!s.on} onChange={e => put({ on: e.value })} />
		<div style={{ padding: 10 }}><Slider value={s.volume} onChange={e => put({ volume: e.value })} /></div>
		<AutoComplete aria-label="Fruit" value={s.fruit} suggestions={found} completeMethod={e => setFound(['Apple', 'Apricot'].filter(x => x.toLowerCase().startsWith(e.query.toLowerCase())))} onChange={e => put({ fruit: e.value })} />
		<Rating value={s.stars} onChange={e => put({ stars: e.value })} />
		<label htmlFor="c">Agree</label><Checkbox inputId="c" checked={!!s.agree} onChange={e => put({ agree: e.checked })} />
		<button onClick={() => put({ open: true })}>Show</button><Dialog header="Header" visible={s.open} onHide={() => put({ open: false, hid: true })}>Lorem in a box</Dialog>
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
