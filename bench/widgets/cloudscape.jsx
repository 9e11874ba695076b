import React from 'react';
import { createRoot } from 'react-dom/client';
import '@cloudscape-design/global-styles/index.css';
import Select from '@cloudscape-design/components/select';
import Multiselect from '@cloudscape-design/components/multiselect';
import Autosuggest from '@cloudscape-design/components/autosuggest';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Table from '@cloudscape-design/components/table';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import Tabs from '@cloudscape-design/components/tabs';
import Toggle from '@cloudscape-design/components/toggle';
const S = window.S = {};
const of = (...all) => all.map(([value, label, description]) => ({ value, label, description }));
const boats = ['Gull', 'Tern', 'Skua'].map((name, i) => ({ name, tons: 10 * (i + 1) }));
function App() {
	const [, draw] = React.useState(0), [open, show] = React.useState(false);
	const set = (k, v) => { S[k] = v; draw(n => n + 1); };
	return <div style={{ width: 700, padding: 20 }}>
		<FormField label="Port"><Select placeholder="Choose a port" selectedOption={S.port || null} onChange={e => set('port', e.detail.selectedOption)} options={of(['lis', 'Lisbon', 'west'], ['riga', 'Riga', 'north'])} /></FormField>
		<FormField label="Cargo"><Multiselect placeholder="Choose cargo" selectedOptions={S.cargo || []} onChange={e => set('cargo', e.detail.selectedOptions)} options={of(['salt', 'Salt'], ['rope', 'Rope'], ['tea', 'Tea'])} /></FormField>
		<FormField label="Captain"><Autosuggest value={S.captain || ''} onChange={e => set('captain', e.detail.value)} options={of(['Ann'], ['Anders'], ['Bo'])} enteredTextLabel={v => 'Use ' + v} /></FormField>
		<FormField label="Departure"><DatePicker value={S.day || '2026-03-10'} onChange={e => set('day', e.detail.value)} openCalendarAriaLabel={() => 'Choose date'} nextMonthAriaLabel="Next month" previousMonthAriaLabel="Previous month" /></FormField>
		<Toggle checked={!!S.night} onChange={e => set('night', e.detail.checked)}>Night watch</Toggle>
		<Table selectionType="multi" selectedItems={S.rows || []} onSelectionChange={e => set('rows', e.detail.selectedItems)} trackBy="name" items={boats} ariaLabels={{ itemSelectionLabel: (_, b) => 'select ' + b.name, allItemsSelectionLabel: () => 'select all', selectionGroupLabel: 'boats' }} columnDefinitions={[{ id: 'n', header: 'Name', cell: b => b.name, isRowHeader: true }, { id: 't', header: 'Tons', cell: b => b.tons }]} header={<h2>Boats</h2>} />
		<ButtonDropdown items={of(['paint', 'Paint']).concat({ id: 'sink', text: 'Sink' }).map(x => x.id ? x : { id: x.value, text: x.label })} onItemClick={e => set('action', e.detail.id)}>Actions</ButtonDropdown>
		<Button onClick={() => show(true)}>Delete</Button>
		<Modal visible={open} onDismiss={() => show(false)} header="Delete 3 boats?" closeAriaLabel="Close" footer={<Button variant="primary" onClick={() => { set('gone', true); show(false); }}>Yes, delete</Button>}>They cannot be brought back.</Modal>
		<Tabs tabs={[{ id: 'a', label: 'Hull', content: 'Oak planks' }, { id: 'b', label: 'Sails', content: 'Red canvas' }]} />
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
