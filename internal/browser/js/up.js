// For scripts that look at what is around a node, as it is drawn.
const given = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
const up = n => n instanceof HTMLFormElement ? given(Element, 'assignedSlot').call(n) || given(Node, 'parentNode').call(n) : n.assignedSlot || n.parentNode || n.host;
