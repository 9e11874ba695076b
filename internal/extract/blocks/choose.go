package blocks

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Choices are the parts of the choice of blocks that the caller or the page's type
// decides.
type Choices struct {
	Comments Comments
	Type     page.Type
	Sure     float64  // the probability of the type
	Items    []string // names of the items that the page says it lists
	Parts    []string // texts of the ingredients, steps, questions and answers that the page says it has

	// IsPrice reports whether a line shows the price that the page's data states for its
	// product; nil: it states none.
	IsPrice func(line []byte) bool

	Off map[string]bool // stages that are omitted, to measure what they are for; see Stages
}

// The stages, in their order.
const (
	stageStated   = "stated"   // what the page's data says is content is probable
	stagePosts    = "posts"    // the posts of a thread are probable, and get headings
	stageRegion   = "region"   // the main region, without the boilerplate in it
	stageComments = "comments" // comments, as wanted
	stageLinked   = "linked"   // footnotes, and what a sentence announces
	stageHeadings = "headings" // the headings of what is kept
	stageCopies   = "copies"   // second copies go
)

// Stages lists the stages that Choices.Off can omit.
func Stages() []string {
	return []string{stageStated, stagePosts, stageRegion, stageComments, stageLinked, stageHeadings, stageCopies}
}

// Choose returns which blocks are content; prob has their probabilities, see
// [Segmentation.Label]. On a long page it chooses no block if none reaches FairChance:
// then the page is only boilerplate.
func (seg *Segmentation) Choose(prob []float32, c Choices) []bool {
	keep := make([]bool, len(prob))
	if len(prob) == 0 || slices.Max(prob) < FairChance && !seg.IsShort() {
		return keep
	}
	p := slices.Clone(prob)
	article := c.Type == page.Article && c.Sure >= sureType
	pass := func(s string, f func()) {
		if !c.Off[s] {
			f()
		}
	}
	pass(stageStated, func() { seg.raiseStated(p, c) })
	pass(stagePosts, func() { seg.raisePosts(p, c) })
	pass = func(s string, f func()) {
		if !c.Off[s] {
			f()
			seg.trace.note(keep, s)
		}
	}
	pass(stageRegion, func() { keep, seg.content = seg.mainRegion(p, article) })
	pass(stageComments, func() { settleComments(seg, keep, c.Comments, article) })
	pass(stageLinked, func() { seg.keepLinked(keep) })
	pass(stageHeadings, func() { seg.keepHeadings(keep) })
	pass(stageCopies, func() { seg.dropCopies(keep) })
	pass(stagePosts, func() { seg.headPosts(keep) })
	return keep
}
