package blocks

// Comments says what becomes of the readers' comments under a page.
type Comments uint8

const (
	// CommentsAuto leaves them out on articles and leaves the choice to the
	// model elsewhere: in a forum the answers are the content.
	CommentsAuto Comments = iota
	// CommentsAlways takes them in.
	CommentsAlways
	// CommentsNever leaves them out on pages of every type.
	CommentsNever
)

// settleComments adds or removes comments as the caller has asked. A comment
// section is an outermost element whose name says so
// and that holds less than half of the chosen words: names such as
// "comments-open" stand on whole pages, and a thread's answers are its content.
func settleComments(seg *Segmentation, keep []bool, c Comments, article bool) {
	if c == CommentsAuto && !article {
		return
	}
	words := make([]int32, len(keep)+1) // chosen words, prefix sum
	for i, k := range keep {
		words[i+1] = words[i]
		if k {
			words[i+1] += seg.blocks[i].words
		}
	}
	end, thread := int32(0), int32(0) // of the section that was settled last, and of the last one that is a thread
	for i := range seg.elems {
		e := &seg.elems[i]
		if e.b0 < end || e.b1 == e.b0 || seg.marks[e.marks][namedComment] != uint8(min(e.depth, maxMarkDepth))+1 {
			continue
		}
		if 2*(words[e.b1]-words[e.b0]) > words[len(keep)] {
			thread = e.b1
			continue
		}
		if e.b0 < thread && seg.facts.rep[i] >= leastPosts {
			continue // one of its comments
		}
		end = e.b1
		for k := e.b0; k < e.b1; k++ {
			keep[k] = c == CommentsAlways && seg.isRemark(&seg.blocks[k])
		}
	}
}

// isRemark reports whether a block of a comment section is a comment, or a name or
// time beside one, rather than a control.
func (seg *Segmentation) isRemark(b *block) bool {
	m := &seg.marks[seg.elems[b.elem].marks]
	return m[markForm] == 0 && m[markButton] == 0 && m[markNav] == 0 && m[markDialog] == 0 && b.inner&innerButton == 0
}
