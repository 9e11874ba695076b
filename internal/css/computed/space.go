package computed

// Space says how the plane that an element draws on stands in the depth of a page (CSS
// Transforms Module Level 2, section 4). nil is the plane of the page.
type Space struct {
	matrix matrix4 // what moves the elements in it besides their own transforms
	turns  bool    // there is such a thing
	shared bool    // they stand in one space with the element and with each other
	// The outermost element that shares the space, 0 for none, and how near to the eye the
	// plane is.
	root   int
	height float64
}

// Turns reports whether the transforms of an element in the space are not all that turns it.
func (s *Space) Turns() bool { return s != nil && s.turns }

// Shared reports whether the elements in the space have planes of their own, each turned by
// itself.
func (s *Space) Shared() bool { return s != nil && s.shared }

// Order compares two planes: negative if s is painted before o, 0 where depth does not decide.
func (s *Space) Order(o *Space) float64 {
	if s == nil || o == nil || s.root != o.root {
		return 0
	}
	return s.height - o.height
}

// Enter returns the space in an element, and why nothing of the element is seen: it is turned
// away or to its edge, or stands behind the eye. id, which is not 0, tells the elements of a
// document apart. deep says that what is in it shares its space; perspective is the computed
// value of the property, and get that of [Computed.Enter].
func (s *Space) Enter(id int, deep bool, perspective string, get func(int) string) (*Space, Reason) {
	own, in, why := identity(), Space{}, InSight
	if s != nil {
		own, in.root, in.height = s.matrix, s.root, s.height
	}
	if s != nil && !s.turns {
		own = identity()
	}
	for _, t := range transformStyles {
		if m, ok := transformOfProperty(t.prop, get(t.at)); ok {
			own.times(m)
		}
	}
	if s.Turns() && (own.unseen() == Size || get(ComputedBackface) == "hidden" && own[2][2] < 0) {
		why = Size
	}
	if shares := s != nil && s.shared; shares {
		in.height = own[2][3]
	} else if deep {
		in.root, in.height = id, own[2][3]
	}
	if in.shared = deep; !deep {
		own = identity()
	}
	if eye, ok := transformFunction("perspective", []string{perspective}); ok {
		own.times(eye)
	}
	in.matrix, in.turns = own, deep || own != identity()
	return &in, why
}

// transformStyles are the computed styles that transform a box, in the order in which they do.
var transformStyles = [...]struct {
	at   int
	prop property
}{{ComputedTranslate, propTranslate}, {ComputedRotate, propRotate}, {ComputedScale, propScale}, {ComputedTransform, propTransform}}

// IsTransform reports whether a place in [ComputedStyles] is that of a style which turns a box.
func IsTransform(k int) bool { return k >= ComputedTransform && k <= ComputedBackface }
