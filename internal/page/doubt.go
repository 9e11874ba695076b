package page

// Marks that snapshots of live pages had. No content has them.
const (
	NotShown Mark = Collapsed + 1 + iota
	VisibilityUnknown
)
