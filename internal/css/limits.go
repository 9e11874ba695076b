package css

// The numbers that decide, in one place.
const (
	// Bounds on what is read. A page of 10 MB has 700 kB of sheets in the 99th percentile.
	maxSheetBytes    = 2 << 20
	maxRules         = 100_000 // of all sheets, and selectors in them
	maxDeclarations  = 200_000 // of all sheets and style attributes
	maxBlocks        = 16      // blocks within each other
	maxSelector      = 2000    // bytes of one selector
	maxSelectorDepth = 8       // brackets within brackets, such as :not(:is(…))
	maxStyle         = 4096    // bytes of one style attribute
	maxValue         = 300     // bytes of one value; longer ones are data URIs

	// maxSteps bounds the matching of a page, up to 100 ns each. Of 1,494 pages of WCXB, the
	// median takes 1,741 and the largest 1.2 million.
	maxSteps = 4_000_000

	// The screen on which a page is seen, in CSS pixels.
	screenWidth, screenHeight = 1280., 800.
	rootFontSize              = 16.

	// What nobody can see. Chromium draws text of 5 % opacity so faintly that no
	// letter can be read.
	faint     = .05  // opacity and scale up to which text is unreadable
	tiny      = 1.   // pixels of a font or a clipped box up to which nothing is seen
	farAway   = 999. // pixels beyond the left or upper edge from which text is out of sight
	nearColor = 24   // sum of the differences of the channels of equal colours
	solid     = .9   // alpha from which a background hides what is behind it
	halfBox   = 50.  // percent that an inset cuts off each side to leave nothing
	fullBox   = 100. // percent of the box by which a text is moved out of it
	edgeOn    = 90.  // degrees of a rotation about x or y that shows the edge only
)
