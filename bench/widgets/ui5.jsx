import '@ui5/webcomponents/dist/Select.js'; import '@ui5/webcomponents/dist/Option.js'; import '@ui5/webcomponents/dist/Slider.js'; import '@ui5/webcomponents/dist/Switch.js'; import '@ui5/webcomponents/dist/CheckBox.js'; import '@ui5/webcomponents/dist/Input.js'; import '@ui5/webcomponents/dist/Dialog.js'; import '@ui5/webcomponents/dist/Button.js'; import '@ui5/webcomponents/dist/TabContainer.js'; import '@ui5/webcomponents/dist/Tab.js'; import '@ui5/webcomponents/dist/RatingIndicator.js'; import '@ui5/webcomponents/dist/Tree.js'; import '@ui5/webcomponents/dist/TreeItem.js';
const S = window.S = {};
document.getElementById('root').innerHTML = `<ui5-select id=s accessible-name="Size"><ui5-option value=s>Small</ui5-option><ui5-option value=l>Large</ui5-option></ui5-select>
<ui5-slider id=r accessible-name="Volume"></ui5-slider><ui5-switch id=w accessible-name="Power"></ui5-switch><ui5-checkbox id=k text="Agree"></ui5-checkbox><ui5-rating-indicator id=g accessible-name="Stars"></ui5-rating-indicator>
<ui5-button id=o>Open dialog</ui5-button><ui5-dialog id=x header-text="Terms">Read them<ui5-button slot=footer id=y>Accept</ui5-button></ui5-dialog>
<ui5-tabcontainer><ui5-tab text="One">First panel</ui5-tab><ui5-tab text="Two">Second panel</ui5-tab></ui5-tabcontainer>
<ui5-tree id=t><ui5-tree-item text="Animals"><ui5-tree-item text="Owl"></ui5-tree-item></ui5-tree-item></ui5-tree>`;
const $ = window.$ = id => document.getElementById(id);
$('o').addEventListener('click', () => { $('x').open = true; }); $('y').addEventListener('click', () => { S.ok = true; $('x').open = false; }); $('t').addEventListener('item-click', e => { S.node = e.detail.item.text; });
