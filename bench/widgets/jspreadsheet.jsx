import jspreadsheet from 'jspreadsheet-ce';
import 'jspreadsheet-ce/dist/jspreadsheet.css';
import 'jsuites/dist/jsuites.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<h1>Boats</h1><div id=s></div>';
S.s = jspreadsheet(document.getElementById('s'), { worksheets: [{ data: [['Ann', 47, 'red', '2026-03-10', false], ['Bo', 12, 'blue', '2026-03-11', false], ['Cy', 30, 'red', '2026-03-12', false]], columns: [{ type: 'text', title: 'Name', width: 120 }, { type: 'numeric', title: 'Tons', width: 100 }, { type: 'dropdown', title: 'Colour', source: ['red', 'blue', 'green'], width: 120 }, { type: 'calendar', title: 'Built', width: 120 }, { type: 'checkbox', title: 'Sold', width: 80 }] }] })[0];
