import React from 'react';
import { createRoot } from 'react-dom/client';
import Select from 'react-select';
import Creatable from 'react-select/creatable';
const S = window.S = {};
const options = ['Ocean', 'Blue', 'Purple', 'Red'].map(v => ({ value: v, label: v }));
createRoot(document.getElementById('root')).render(<div style={{ padding: 20, width: 400 }}>
	<Select aria-label="Colour" options={options} onChange={v => S.colour = v?.value} isClearable />
	<Select aria-label="Colours" isMulti options={options} onChange={v => S.colours = v.map(x => x.value)} />
	<Creatable aria-label="Tag" options={options} onChange={v => S.tag = v?.value} />
</div>);
