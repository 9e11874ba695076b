import { basicSetup, EditorView } from 'codemirror';
const view = new EditorView({ doc: 'let a = 1\nlet b = 2\n', extensions: [basicSetup], parent: document.getElementById('root') });
window.S = { get text() { return view.state.doc.toString(); } };
