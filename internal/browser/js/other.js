// Returns another option that drawn_option.js has seen.
function() {
	return (globalThis.optionsSeen || []).find(o => o !== this && o.isConnected) || null;
}
