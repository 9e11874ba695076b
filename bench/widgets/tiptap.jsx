import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
document.getElementById('root').innerHTML = '<button id=b>Bold</button><button id=l>Bullet list</button><div id=e></div>';
const e = new Editor({ element: document.getElementById('e'), extensions: [StarterKit], content: '<p>Some words</p>' });
b.onclick = () => e.chain().focus().toggleBold().run();
l.onclick = () => e.chain().focus().toggleBulletList().run();
window.S = { get html() { return e.getHTML(); } };
