// For scripts of the clipboard: d is the document and e the element
// with the focus.
let d = document;
for (let a; (a = d.activeElement) && a.contentDocument;) d = a.contentDocument;
let e = d.activeElement || d.body;
while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
const tell = (kind, data) => (e || d).dispatchEvent(new ClipboardEvent(kind, {clipboardData: data, bubbles: true, cancelable: true, composed: true}));
