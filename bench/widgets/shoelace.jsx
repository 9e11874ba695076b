import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/shoelace.js';
const S = window.S = {};
document.getElementById('root').innerHTML = `
<sl-select label="Size" id=s><sl-option value=s>Small</sl-option><sl-option value=m>Medium</sl-option><sl-option value=l>Large</sl-option></sl-select>
<sl-select label="Tags" multiple id=t><sl-option value=a>Alpha</sl-option><sl-option value=b>Beta</sl-option></sl-select>
<sl-input label="Name" id=n></sl-input><sl-textarea label="Notes" id=a></sl-textarea>
<sl-checkbox id=c>Agree</sl-checkbox><sl-switch id=w>Wi-Fi</sl-switch><sl-range label="Volume" id=r></sl-range><sl-rating label="Rate" id=g></sl-rating>
<sl-radio-group label="Pay" id=p><sl-radio value=cash>Cash</sl-radio><sl-radio value=card>Card</sl-radio></sl-radio-group>
<sl-dropdown><sl-button slot=trigger caret>Edit</sl-button><sl-menu id=m><sl-menu-item value=cut>Cut</sl-menu-item><sl-menu-item value=paste>Paste</sl-menu-item></sl-menu></sl-dropdown>
<sl-button id=o>Open dialog</sl-button><sl-dialog label="Terms" id=d>Read them<sl-button slot=footer id=x>Accept</sl-button></sl-dialog>
<sl-details summary="More">Hidden treasure</sl-details>
<sl-tooltip content="Only for experts"><sl-button>Expert</sl-button></sl-tooltip>
<sl-tab-group><sl-tab slot=nav panel=a>One</sl-tab><sl-tab slot=nav panel=b>Two</sl-tab><sl-tab-panel name=a>First panel</sl-tab-panel><sl-tab-panel name=b>Second panel</sl-tab-panel></sl-tab-group>
<sl-color-picker label="Colour" id=k></sl-color-picker>`;
const $ = id => document.getElementById(id);
$('o').onclick = () => $('d').show();
$('x').onclick = () => { S.accepted = true; $('d').hide(); };
$('m').addEventListener('sl-select', e => S.action = e.detail.item.value);
window.$ = $;
