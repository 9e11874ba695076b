import '@awesome.me/webawesome/dist/styles/webawesome.css';
import '@awesome.me/webawesome/dist/components/select/select.js';
import '@awesome.me/webawesome/dist/components/option/option.js';
import '@awesome.me/webawesome/dist/components/input/input.js';
import '@awesome.me/webawesome/dist/components/textarea/textarea.js';
import '@awesome.me/webawesome/dist/components/slider/slider.js';
import '@awesome.me/webawesome/dist/components/rating/rating.js';
import '@awesome.me/webawesome/dist/components/radio-group/radio-group.js';
import '@awesome.me/webawesome/dist/components/radio/radio.js';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';
import '@awesome.me/webawesome/dist/components/button/button.js';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';
import '@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js';
import '@awesome.me/webawesome/dist/components/switch/switch.js';
const S = window.S = {};
const root = document.getElementById('root');
root.innerHTML = `<wa-select id=fruit label="Fruit"><wa-option value=fig>Fig</wa-option><wa-option value=plum>Plum</wa-option></wa-select>
<wa-select id=tops label="Toppings" multiple><wa-option value=nuts>Nuts</wa-option><wa-option value=oats>Oats</wa-option><wa-option value=jam>Jam</wa-option></wa-select>
<wa-input id=name label="Full name"></wa-input><wa-textarea id=note label="Note"></wa-textarea>
<wa-slider id=heat label="Heat" min=0 max=100 value=20></wa-slider><wa-rating id=stars label="Stars"></wa-rating><wa-switch id=news>News</wa-switch>
<wa-radio-group id=pay label="Pay" orientation=horizontal><wa-radio value=cash>Cash</wa-radio><wa-radio value=card>Card</wa-radio></wa-radio-group>
<wa-dropdown id=menu><wa-button slot=trigger with-caret>More</wa-button><wa-dropdown-item value=copy>Copy</wa-dropdown-item><wa-dropdown-item value=paste>Paste</wa-dropdown-item></wa-dropdown>
<wa-button id=open>Delete</wa-button><wa-dialog id=dialog label="Delete 3 boats?">They cannot be brought back.<wa-button slot=footer id=yes variant=danger>Yes, delete</wa-button></wa-dialog>`;
const $ = window.$ = id => document.getElementById(id);
$('open').onclick = () => { $('dialog').open = true; };
$('yes').onclick = () => { S.gone = true; $('dialog').open = false; };
$('menu').addEventListener('wa-select', e => { S.item = e.detail.item.value; });
