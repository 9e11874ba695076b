import { ClassicEditor, Essentials, Paragraph, Bold, List, Heading } from 'ckeditor5';
import 'ckeditor5/ckeditor5.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<div id=e><p>Some words</p></div>';
const config = { licenseKey: 'GPL', plugins: [Essentials, Paragraph, Bold, List, Heading], toolbar: ['heading', 'bold', 'bulletedList', 'undo'] };
const made = ed => { S.ed = ed; };
ClassicEditor.create(document.getElementById('e'), config).then(made, () => ClassicEditor.create({ ...config, attachTo: document.getElementById('e') }).then(made));
