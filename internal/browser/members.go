package browser

// Our scripts run in a world of our own, where nothing that a page defines is found, with one
// exception: the fields of a form are members of it, in every world, and hide those that a form
// has by its type (HTML, section 4.10.3). A field named "parentNode" leads a loop over
// ancestors in a circle.

// membersScript is the beginning of scripts that look at any element.
const membersScript = `
	const member = (type, name) => { const m = Object.getOwnPropertyDescriptor(type.prototype, name); return m.get ? e => m.get.call(e) : (e, ...given) => m.value.apply(e, given); };
	const isDrawn = member(Element, 'checkVisibility'), boxOf = member(Element, 'getBoundingClientRect'), textOf = member(Node, 'textContent'), parentOf = member(Node, 'parentElement');
`

// upScript is the beginning of scripts that look at what is around a node, as it is drawn.
const upScript = `
	const given = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
	const up = n => n instanceof HTMLFormElement ? given(Element, 'assignedSlot').call(n) || given(Node, 'parentNode').call(n) : n.assignedSlot || n.parentNode || n.host;
`
