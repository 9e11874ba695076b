// Reports whether a list shows that a value is chosen, with a part that takes it back.
// prelude: options chips
function(value) { return chips().some(c => named(c.name, same(value))); }
