// Reports whether a page shows little more than that it loads.
// prelude: members waits
(() => { return shownText().length < 2000 && waits(); })()
