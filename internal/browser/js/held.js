// For scripts that look at what the field with the focus holds.
let a = document.activeElement;
while (a && a.shadowRoot && a.shadowRoot.activeElement) a = a.shadowRoot.activeElement;
const held = a ? 'value' in a ? a.value : a.innerText : '', heard = globalThis.spyhopText;
