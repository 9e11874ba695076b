import EditorJS from '@editorjs/editorjs';
const S = window.S = {};
document.getElementById('root').innerHTML = '<div id=e></div>';
S.ed = new EditorJS({ holder: 'e', data: { blocks: [{ type: 'paragraph', data: { text: 'Some words' } }] } });
