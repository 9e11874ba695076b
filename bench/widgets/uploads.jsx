import React from 'react';
import { createRoot } from 'react-dom/client';
import { useDropzone } from 'react-dropzone';
import * as FilePond from 'filepond';
import 'filepond/dist/filepond.css';
const S = window.S = {};
function Zone() {
	const [names, set] = React.useState('');
	const { getRootProps, getInputProps } = useDropzone({ onDrop: f => { S.zone = f.map(x => x.name).join(); set(S.zone); } });
	return <div {...getRootProps()} style={{ border: '1px dashed', padding: 20 }}><input {...getInputProps()} />Drag files here or click: {names}</div>;
}
createRoot(document.getElementById('root')).render(<div><Zone /><div ref={e => { if (e && !e.firstChild) { const i = e.appendChild(document.createElement('input')); i.type = 'file'; FilePond.create(i, { allowMultiple: true, onaddfile: (_, f) => { S.pond = f.filename; } }); } }} /></div>);
