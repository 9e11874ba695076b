import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';
document.getElementById('root').innerHTML = '<label for=s>State</label><select id=s><option>Alaska<option>Hawaii<option>Texas</select><label for=m>States</label><select id=m multiple><option>Alaska<option>Hawaii<option>Texas</select>';
window.S = { one: new Choices('#s', { labelId: 'x' }), many: new Choices('#m', { removeItemButton: true }) };
