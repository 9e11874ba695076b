import React from 'react';
import { createRoot } from 'react-dom/client';
import { createEditor, Editor, Node } from 'slate';
import { Slate, Editable, withReact } from 'slate-react';
import { withHistory } from 'slate-history';
const S = window.S = {};
function App() {
	const [editor] = React.useState(() => withHistory(withReact(createEditor())));
	return <Slate editor={editor} initialValue={[{ type: 'paragraph', children: [{ text: 'Some words' }] }]} onChange={v => { S.text = v.map(n => Node.string(n)).join('|'); S.bold = JSON.stringify(v).includes('"bold":true'); }}>
		<button onMouseDown={e => { e.preventDefault(); Editor.addMark(editor, 'bold', true); }}>Bold</button>
		<Editable aria-label="Message" renderLeaf={p => <span {...p.attributes}>{p.leaf.bold ? <b>{p.children}</b> : p.children}</span>} style={{ border: '1px solid' }} /></Slate>;
}
createRoot(document.getElementById('root')).render(<App />);
