import { Jodit } from 'jodit/esm/index.js';
import 'jodit/es2021/jodit.min.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<h1>Story</h1><textarea id=e></textarea>';
S.e = Jodit.make('#e', { toolbarAdaptive: false, askBeforePasteHTML: false });
S.e.value = '<p>Once upon a time</p>';
