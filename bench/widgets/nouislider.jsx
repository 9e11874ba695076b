import noUiSlider from 'nouislider';
import 'nouislider/dist/nouislider.css';
const root = document.getElementById('root');
root.innerHTML = '<div id=s style="width:300px;margin:40px"></div>';
const s = document.getElementById('s');
noUiSlider.create(s, { start: [20, 80], connect: true, step: 1, range: { min: 0, max: 100 }, handleAttributes: [{ 'aria-label': 'From' }, { 'aria-label': 'To' }] });
window.S = { get value() { return s.noUiSlider.get(true).join(); } };
