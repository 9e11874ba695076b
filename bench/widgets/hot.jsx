import Handsontable from 'handsontable';
import 'handsontable/styles/handsontable.css';
import 'handsontable/styles/ht-theme-main.css';
const S = window.S = {};
const root = document.getElementById('root');
S.t = new Handsontable(root, { data: [['Tea', 4, true], ['Milk', 2, false], ['Salt', 1, false]], themeName: 'ht-theme-main', colHeaders: ['Item', 'Price', 'Paid'], rowHeaders: true, contextMenu: true, columns: [{}, { type: 'numeric' }, { type: 'checkbox' }], licenseKey: 'non-commercial-and-evaluation', height: 250 });
