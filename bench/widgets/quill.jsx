import Quill from 'quill';
import 'quill/dist/quill.snow.css';
document.getElementById('root').innerHTML = '<div id=q><p>Some words</p></div>';
const q = new Quill('#q', { theme: 'snow', modules: { toolbar: [[{ header: [1, 2, false] }], ['bold', 'italic', 'link'], [{ list: 'ordered' }, { list: 'bullet' }]] } });
window.S = { get html() { return q.root.innerHTML; }, get text() { return q.getText(); } };
