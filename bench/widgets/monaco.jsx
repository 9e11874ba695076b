import * as monaco from 'monaco-editor';
self.MonacoEnvironment = { getWorker: () => new Worker('data:text/javascript,') };
const root = document.getElementById('root');
root.style = 'height:300px';
const e = monaco.editor.create(root, { value: 'let a = 1\nlet b = 2', language: 'plaintext', automaticLayout: true });
window.S = { get text() { return e.getValue(); } };
