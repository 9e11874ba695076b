import '@lion/ui/define/lion-input.js';
import '@lion/ui/define/lion-select-rich.js';
import '@lion/ui/define/lion-option.js';
import '@lion/ui/define/lion-options.js';
import '@lion/ui/define/lion-combobox.js';
import '@lion/ui/define/lion-checkbox.js';
import '@lion/ui/define/lion-checkbox-group.js';
import '@lion/ui/define/lion-radio.js';
import '@lion/ui/define/lion-radio-group.js';
import '@lion/ui/define/lion-switch.js';
import '@lion/ui/define/lion-input-datepicker.js';
import '@lion/ui/define/lion-input-amount.js';
import '@lion/ui/define/lion-input-range.js';
import '@lion/ui/define/lion-input-stepper.js';
import '@lion/ui/define/lion-dialog.js';
import '@lion/ui/define/lion-tabs.js';
import '@lion/ui/define/lion-accordion.js';
import '@lion/ui/define/lion-textarea.js';
import '@lion/ui/define/lion-pagination.js';
import '@lion/ui/define/lion-button.js';
import '@lion/ui/define/lion-collapsible.js';
import '@lion/ui/define/lion-tooltip.js';
window.S = {};
window.$ = id => document.getElementById(id);
document.getElementById('root').innerHTML = `<div style="width:600px;padding:20px">
<lion-input id=name name=name label="Name" help-text="As on the ship's papers"></lion-input>
<lion-select-rich id=size name=size label="Size"><lion-option .choiceValue="s">Small</lion-option><lion-option>Medium</lion-option><lion-option>Large</lion-option></lion-select-rich>
<lion-combobox id=fruit name=fruit label="Fruit" autocomplete=list show-all-on-empty><lion-option>Apple</lion-option><lion-option>Apricot</lion-option><lion-option>Banana</lion-option></lion-combobox>
<lion-checkbox-group id=gear name=gear[] label="Gear"><lion-checkbox label="Oar"></lion-checkbox><lion-checkbox label="Sail"></lion-checkbox></lion-checkbox-group>
<lion-radio-group id=pay name=pay label="Pay"><lion-radio label="Cash"></lion-radio><lion-radio label="Card"></lion-radio></lion-radio-group>
<lion-switch id=night label="Night watch"></lion-switch>
<lion-input-datepicker id=day name=day label="Departure"></lion-input-datepicker>
<lion-input-amount id=sum name=sum label="Price" currency="EUR"></lion-input-amount>
<lion-input-range id=vol name=vol label="Volume" min=0 max=100 step=5></lion-input-range>
<lion-input-stepper id=boats name=boats label="Boats" min=0 max=9></lion-input-stepper>
<lion-textarea id=note name=note label="Note"></lion-textarea>
<lion-dialog id=dlg><button slot=invoker>Sink</button><div slot=content><h2>Sink the boat?</h2><p>It cannot be raised again.</p><button id=sink>Sink it</button></div></lion-dialog>
<lion-tabs><button slot=tab>Hull</button><p slot=panel>Oak planks</p><button slot=tab>Sails</button><p slot=panel>Red canvas</p></lion-tabs>
<lion-accordion><h3 slot=invoker><button>More</button></h3><p slot=content>Hidden treasure</p></lion-accordion>
<lion-tooltip><button slot=invoker>Hint</button><div slot=content>High tide at nine</div></lion-tooltip>
<lion-pagination id=pages count=9 current=2></lion-pagination></div>`;
document.querySelectorAll('lion-option').forEach(o => { o.choiceValue = o.textContent; });
document.querySelectorAll('lion-checkbox,lion-radio').forEach(o => { o.choiceValue = o.getAttribute('label'); });
document.addEventListener('click', e => { if (e.composedPath().some(x => x.id === 'sink')) S.sunk = true; });
