// Reports whether a click on this, which sends or opens something, takes the focus from a field.
function() {
	const a = document.activeElement;
	return !!a && a !== this && a.matches('input,textarea,select') && this.matches('button,input[type=submit],input[type=button]') && !this.role && !a.contains(this);
}
