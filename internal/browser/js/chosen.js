// Reports whether an option of a list with several choices says that it is chosen:
// a click would take it back.
const chosenIn = list => list ? list.querySelectorAll('[aria-selected=true]').length : 0;
const several = o => o.getAttribute('role') === 'menuitemcheckbox' || o.closest('[aria-multiselectable=true]') || chosenIn(o.closest('[role=listbox]')) > 1;
const isChosen = o => !!several(o) && (o.ariaChecked || o.ariaSelected) === 'true';
