// prelude: chosen
function() { return isChosen(this); }
