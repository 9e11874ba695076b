package extract

import "github.com/spyhop-dev/spyhop/internal/extract/blocks"

// Comments says what becomes of the readers' comments under a page.
type Comments = blocks.Comments

// The values of Comments are those of package blocks.
const (
	CommentsAuto   = blocks.CommentsAuto
	CommentsAlways = blocks.CommentsAlways
	CommentsNever  = blocks.CommentsNever
)

// ParseComments reads "auto", "always" or "never"; empty is auto.
func ParseComments(s string) (Comments, bool) {
	switch s {
	case "", "auto":
		return CommentsAuto, true
	case "always":
		return CommentsAlways, true
	case "never":
		return CommentsNever, true
	}
	return 0, false
}
