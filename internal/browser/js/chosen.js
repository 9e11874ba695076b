// Reports whether an option of a list with several choices says that it is chosen:
// a click would take it back.
const several = o => o.getAttribute('role') === 'menuitemcheckbox' || o.closest('[aria-multiselectable=true]');
const isChosen = o => !!several(o) && (o.ariaChecked || o.ariaSelected) === 'true';
