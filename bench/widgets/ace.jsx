import ace from 'ace-builds';
document.getElementById('root').innerHTML = '<div id=e style="width:500px;height:200px">let a = 1\nlet b = 2</div>';
const ed = ace.edit('e');
window.S = { get text() { return ed.getValue(); } };
