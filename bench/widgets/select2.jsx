import './jquery-global.js';
import select2 from 'select2';
import 'select2/dist/css/select2.css';
if (!$.fn.select2) select2(window, $);
$('#root').html('<label for=s>State</label><select id=s style="width:200px"><option>Alaska<option>Hawaii<option>Texas</select><label for=m>States</label><select id=m multiple style="width:200px"><option>Alaska<option>Hawaii<option>Texas</select>');
$('select').select2();
