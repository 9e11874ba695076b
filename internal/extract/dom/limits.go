package dom

// The numbers that decide, in one place.

// Bounds on what is given to the tree builder. html.Parse is super-linear in
// the attributes of one tag (a million take 7 s and 480 MB), takes about 65
// bytes of memory for a byte of dense markup, and gives no tree at all beyond
// 512 open elements; all three were measured.
const (
	maxDepth     = 320       // open elements of rewritten markup; implied tbody elements come on top
	maxTags      = 120_000   // start tags that are read: the worst of them take 170 MB
	maxAttrs     = 256       // attributes of one tag
	maxAttrBytes = 32 << 10  // one attribute's value; longer ones are data URIs and state
	maxTagBytes  = 512 << 10 // one tag, roughly: up to there its attributes cost 75 ms
	maxRoots     = 64        // tags of html and body, which all give attributes to one element

	usualDepth = 32      // to which elements of one name are closed that only lack their end tags
	usualAttrs = 20      // attributes of a tag on average; more are looked at
	mostAtOnce = 8 << 20 // bytes of rewritten markup that are allocated first
)

// Hidden text.
const (
	// A group of hidden text that is larger than this share of the text that is seen waits for a
	// script: entrance animations and streamed content hide complete articles. Text that is
	// slipped in is less.
	waitingShare = .5
	// With this many texts that are hidden by their opacity, the page fades in when it is scrolled.
	// (Instead of a share of a tenth by one rule: pages with loss on WCXB .038, then .037; F1 the same.)
	animated = 8
	// A hidden text of a sentence or more, in bytes, beside a label, and of a kind that is so often on
	// the page, is the answer to a question. (Pages with loss on WCXB .040, then .037; F1 the same.)
	several, sentence = 3, 40
	// On a page of fewer bytes of text that has no script, display:none is final. Longer pages
	// are often saved without their scripts.
	fewBytes = 1500
	// Elements around a text, and in them, that are searched for a picture behind the text.
	mostAround, mostBeside = 4, 300

	maxLabel      = 300 // bytes of the label of a control
	maxLabelNodes = 100 // nodes in it
	maxNames      = 500 // bytes of an attribute that may name what folds

	maxProse  = 40  // letters of plain text in a formula that is not painted
	maxSymbol = 8   // letters of a name in a formula
	maxSpoken = 200 // bytes of a spoken copy, and of a class
)

const (
	// A noscript body can be the page from this length on: shorter ones are tracking pixels and
	// "please enable JavaScript". Discourse and Flarum keep complete threads there (word F1 with
	// perfect labels on forums: .77 without, .93 with; WCXB).
	minNoscript = 1000
	maxLinks    = 20_000  // that are listed; link farms have more
	maxAdded    = 8 << 20 // bytes that the base adds to the references of a document

	patienceSteps = 256 // nodes between two questions whether to stop
)
