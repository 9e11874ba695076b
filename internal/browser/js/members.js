// For scripts that look at any element.
const member = (type, name) => { const m = Object.getOwnPropertyDescriptor(type.prototype, name); return m.get ? e => m.get.call(e) : (e, ...given) => m.value.apply(e, given); };
const isDrawn = member(Element, 'checkVisibility'), boxOf = member(Element, 'getBoundingClientRect'), textOf = member(Node, 'textContent'), parentOf = member(Node, 'parentElement');
