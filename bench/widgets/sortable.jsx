import Sortable from 'sortablejs';
const root = document.getElementById('root');
root.innerHTML = '<ul id=l style="width:200px;list-style:none">' + ['Milk', 'Bread', 'Eggs', 'Tea'].map(x => `<li style="padding:8px;border:1px solid">${x}</li>`).join('') + '</ul>';
Sortable.create(document.getElementById('l'), { animation: 150 });
window.S = { get items() { return [...document.querySelectorAll('#l li')].map(e => e.textContent).join(); } };
