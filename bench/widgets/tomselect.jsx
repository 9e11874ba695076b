import TomSelect from 'tom-select';
import 'tom-select/dist/css/tom-select.css';
document.getElementById('root').innerHTML = '<label for=s>State</label><select id=s><option value="">Pick one<option>Alaska<option>Hawaii<option>Texas</select><label for=m>Tags</label><input id=m value="a,b">';
window.S = { one: new TomSelect('#s'), tags: new TomSelect('#m', { create: true, delimiter: ',' }) };
