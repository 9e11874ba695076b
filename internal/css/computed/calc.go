package computed

import (
	"math"
	"strings"
)

// dimension is what a quantity measures.
type dimension uint8

const (
	isNumber  dimension = iota
	isLength            // in CSS pixels
	isPercent           // 1 is 100 %
	isAngle             // in degrees
	isTime              // in seconds
)

// quantity is a number with a unit.
type quantity struct {
	v   float64
	dim dimension
}

// calculator evaluates numbers and math functions (CSS Values and Units Level 4,
// section 10). Its names are the keywords that stand for numbers: the channels of a
// relative colour.
type calculator struct {
	s     string
	i     int
	depth int
	names func(string) (float64, bool)
}

// calculate evaluates a value that is one number, dimension or math function.
func calculate(s string) (quantity, bool) { return calculateWith(s, nil) }

func calculateWith(s string, names func(string) (float64, bool)) (quantity, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxStyle {
		return quantity{}, false
	}
	c := calculator{s: s, names: names}
	q, ok := c.term()
	if c.space(); !ok || c.i < len(c.s) {
		return quantity{}, false
	}
	return q, true
}

func (c *calculator) space() bool {
	start := c.i
	for c.i < len(c.s) && isSpace(c.s[c.i]) {
		c.i++
	}
	return c.i > start
}

// sum reads terms that + and - join, which need space around them.
func (c *calculator) sum() (quantity, bool) {
	left, ok := c.product()
	for ok {
		at := c.i
		if !c.space() || c.i+1 >= len(c.s) || c.s[c.i] != '+' && c.s[c.i] != '-' || !isSpace(c.s[c.i+1]) {
			c.i = at
			return left, true
		}
		sign := 1.0
		if c.s[c.i] == '-' {
			sign = -1
		}
		c.i++
		right, fine := c.product()
		if left, right, ok = alike(left, right); ok && fine {
			left.v += sign * right.v
		}
		ok = ok && fine
	}
	return left, ok
}

// alike makes two quantities comparable: a percentage beside a length is of the
// screen's width.
func alike(a, b quantity) (quantity, quantity, bool) {
	if a.dim == isPercent && b.dim == isLength {
		a = quantity{a.v * screenWidth, isLength}
	}
	if b.dim == isPercent && a.dim == isLength {
		b = quantity{b.v * screenWidth, isLength}
	}
	return a, b, a.dim == b.dim
}

func (c *calculator) product() (quantity, bool) {
	left, ok := c.term()
	for ok {
		at := c.i
		c.space()
		if c.i >= len(c.s) || c.s[c.i] != '*' && c.s[c.i] != '/' {
			c.i = at
			return left, true
		}
		divide := c.s[c.i] == '/'
		c.i++
		right, fine := c.term()
		switch {
		case !fine:
			return left, false
		case divide:
			if right.dim == left.dim {
				left.dim = isNumber
			} else if right.dim != isNumber {
				return left, false
			}
			left.v /= right.v
		case right.dim == isNumber:
			left.v *= right.v
		case left.dim == isNumber:
			left = quantity{left.v * right.v, right.dim}
		default:
			return left, false
		}
	}
	return left, ok
}

// term reads a number with its unit, a constant, a bracket or a function.
func (c *calculator) term() (quantity, bool) {
	c.space()
	if c.i >= len(c.s) {
		return quantity{}, false
	}
	if c.s[c.i] == '(' {
		return c.bracket((*calculator).sum)
	}
	if v, unit, ok := number(c.s[c.i:]); ok {
		end := 0
		for end < len(unit) && (isName(unit[end]) && unit[end] != '-' || unit[end] == '%') {
			end++
		}
		c.i = len(c.s) - len(unit) + end
		return inUnit(v, unit[:end])
	}
	start := c.i
	for c.i < len(c.s) && isName(c.s[c.i]) {
		c.i++
	}
	name := c.s[start:c.i]
	if c.i < len(c.s) && c.s[c.i] == '(' && name != "" {
		return c.bracket(func(c *calculator) (quantity, bool) { return c.function(name) })
	}
	return c.constant(name)
}

// constant is the number that a keyword stands for.
func (c *calculator) constant(name string) (quantity, bool) {
	switch name {
	case "pi":
		return quantity{v: math.Pi}, true
	case "e":
		return quantity{v: math.E}, true
	case "infinity":
		return quantity{v: 1e9}, true
	case "-infinity":
		return quantity{v: -1e9}, true
	case "nan":
		return quantity{}, true
	}
	if c.names == nil {
		return quantity{}, false
	}
	if name == "none" {
		return quantity{}, true
	}
	name, negative := strings.CutPrefix(name, "-")
	v, ok := c.names(name)
	if negative {
		v = -v
	}
	return quantity{v: v}, ok
}

// bracket reads what stands between brackets, the first of which is next.
func (c *calculator) bracket(inner func(*calculator) (quantity, bool)) (quantity, bool) {
	if c.depth++; c.depth > maxDepth {
		return quantity{}, false
	}
	c.i++
	q, ok := inner(c)
	c.space()
	c.depth--
	if !ok || c.i < len(c.s) && c.s[c.i] != ')' {
		return quantity{}, false
	}
	c.i = min(c.i+1, len(c.s)) // a bracket may be open at the end
	return q, true
}

// arguments are those of a math function.
type arguments struct {
	how                  string      // the strategy of round()
	first                [3]quantity // the first ones
	n                    int
	least, most, squares quantity // of all
}

// function evaluates the math function with a name; its arguments are next.
func (c *calculator) function(name string) (quantity, bool) {
	if name == "calc-size" {
		return c.calcSize()
	}
	evaluate := functions[name]
	if evaluate == nil {
		return quantity{}, false
	}
	var a arguments
	if name == "round" {
		a.how = c.strategy()
	}
	for {
		q, ok := c.argument(name, &a)
		if !ok || !a.add(q, name == "pow") {
			return q, false
		}
		c.space()
		if c.i >= len(c.s) || c.s[c.i] != ',' {
			return evaluate(&a)
		}
		c.i++
	}
}

// contentSize is what size stands for in calc-size(), in pixels: what only the content of a
// box says.
const contentSize = 100

// calcSize reads the arguments of calc-size() (CSS Values and Units Level 5, section
// 10.4): of what box the size is, and a sum with it.
func (c *calculator) calcSize() (quantity, bool) {
	end := strings.IndexByte(c.s[c.i:], ',')
	if end < 0 {
		return quantity{}, false
	}
	c.i += end + 1
	before := c.names
	c.names = func(name string) (float64, bool) { return contentSize, name == "size" }
	q, ok := c.sum()
	c.names = before
	if q.dim == isNumber {
		q.dim = isLength
	}
	return q, ok
}

// strategy reads how round() rounds; it is empty if a number is next.
func (c *calculator) strategy() string {
	at := c.i
	for c.i < len(c.s) && (isName(c.s[c.i]) || isSpace(c.s[c.i])) {
		c.i++
	}
	how := strings.TrimSpace(c.s[at:c.i])
	if c.i >= len(c.s) || c.s[c.i] != ',' || strings.TrimLeft(how, "abcdefghijklmnopqrstuvwxyz-") != "" {
		c.i = at
		return ""
	}
	c.i++
	return how
}

// argument reads the next argument. A bound of clamp() may be none.
func (c *calculator) argument(name string, a *arguments) (quantity, bool) {
	c.space()
	if name != "clamp" || !strings.HasPrefix(c.s[c.i:], "none") {
		return c.sum()
	}
	c.i += 4
	q := quantity{-1e9, isLength}
	if a.n == 2 {
		q.v = 1e9
	}
	if a.n > 0 && a.first[0].dim != isLength && a.first[1].dim != isLength {
		q.dim = a.first[1].dim
	}
	return q, true
}

// add takes one more argument, and reports whether it can stand beside the others;
// mixed says that they need not be of one dimension.
func (a *arguments) add(q quantity, mixed bool) bool {
	if a.n == 0 {
		a.least, a.most = q, q
	} else {
		var ok bool
		if a.least, q, ok = alike(a.least, q); !ok && !mixed {
			return false
		}
		a.most, q, _ = alike(a.most, q)
		a.least.v, a.most.v = math.Min(a.least.v, q.v), math.Max(a.most.v, q.v)
	}
	a.squares = quantity{a.squares.v + q.v*q.v, q.dim}
	if a.n < len(a.first) {
		a.first[a.n] = q
	}
	a.n++
	return true
}

// x and y are the numbers of the first two arguments, radians is x as an angle.
func (a *arguments) x() float64 { return a.first[0].v }
func (a *arguments) y() float64 { return a.first[1].v }
func (a *arguments) radians() float64 {
	if a.first[0].dim == isAngle {
		return a.x() * (math.Pi / 180)
	}
	return a.x()
}

// same is a result in the dimension of the first argument.
func (a *arguments) same(v float64) (quantity, bool) {
	return quantity{v, a.first[0].dim}, !math.IsNaN(v)
}

func isNumeric(v float64) (quantity, bool) { return quantity{v: v}, !math.IsNaN(v) }

// degrees is the result of a function that returns an angle, from radians.
func degrees(v float64) (quantity, bool) {
	return quantity{v * 180 / math.Pi, isAngle}, !math.IsNaN(v)
}

// functions are the math functions by their names.
var functions = map[string]func(*arguments) (quantity, bool){
	"calc":         onlyOne,
	"-webkit-calc": onlyOne,
	"-moz-calc":    onlyOne,
	"min":          func(a *arguments) (quantity, bool) { return a.least, true },
	"max":          func(a *arguments) (quantity, bool) { return a.most, true },
	"clamp":        clamp,
	"progress":     progress,
	"round":        round,
	"mod":          func(a *arguments) (quantity, bool) { return a.same(a.x() - a.y()*math.Floor(a.x()/a.y())) },
	"rem":          func(a *arguments) (quantity, bool) { return a.same(math.Mod(a.x(), a.y())) },
	"abs":          func(a *arguments) (quantity, bool) { return a.same(math.Abs(a.x())) },
	"sign":         sign,
	"sin":          func(a *arguments) (quantity, bool) { return isNumeric(math.Sin(a.radians())) },
	"cos":          func(a *arguments) (quantity, bool) { return isNumeric(math.Cos(a.radians())) },
	"tan":          func(a *arguments) (quantity, bool) { return isNumeric(math.Tan(a.radians())) },
	"asin":         func(a *arguments) (quantity, bool) { return degrees(math.Asin(a.x())) },
	"acos":         func(a *arguments) (quantity, bool) { return degrees(math.Acos(a.x())) },
	"atan":         func(a *arguments) (quantity, bool) { return degrees(math.Atan(a.x())) },
	"atan2":        func(a *arguments) (quantity, bool) { return degrees(math.Atan2(a.x(), a.y())) },
	"pow":          func(a *arguments) (quantity, bool) { return isNumeric(math.Pow(a.x(), a.y())) },
	"sqrt":         func(a *arguments) (quantity, bool) { return isNumeric(math.Sqrt(a.x())) },
	"hypot":        func(a *arguments) (quantity, bool) { return quantity{math.Sqrt(a.squares.v), a.squares.dim}, true },
	"exp":          func(a *arguments) (quantity, bool) { return isNumeric(math.Exp(a.x())) },
	"log":          logarithm,
}

func onlyOne(a *arguments) (quantity, bool) { return a.first[0], a.n == 1 }

func clamp(a *arguments) (quantity, bool) {
	x, lo, ok1 := alike(a.first[1], a.first[0])
	x, hi, ok2 := alike(x, a.first[2])
	return quantity{math.Max(lo.v, math.Min(x.v, hi.v)), x.dim}, a.n == 3 && ok1 && ok2
}

// progress is how far a value is from a start to an end, without leaving them.
func progress(a *arguments) (quantity, bool) {
	start, end := a.y(), a.first[2].v
	if start == end {
		return isNumeric(0)
	}
	return quantity{v: math.Max(0, math.Min(1, (a.x()-start)/(end-start)))}, a.n == 3
}

func round(a *arguments) (quantity, bool) {
	step := 1.0
	if a.n > 1 {
		step = a.y()
	}
	if step == 0 {
		return quantity{}, false
	}
	switch v := a.x() / step; a.how {
	case "up":
		return a.same(math.Ceil(v) * step)
	case "down":
		return a.same(math.Floor(v) * step)
	case "to-zero":
		return a.same(math.Trunc(v) * step)
	default:
		return a.same(math.Floor(v+.5) * step)
	}
}

func sign(a *arguments) (quantity, bool) {
	switch {
	case a.x() > 0:
		return isNumeric(1)
	case a.x() < 0:
		return isNumeric(-1)
	}
	return isNumeric(0)
}

func logarithm(a *arguments) (quantity, bool) {
	if a.n > 1 {
		return isNumeric(math.Log(a.x()) / math.Log(a.y()))
	}
	return isNumeric(math.Log(a.x()))
}

// inUnit returns a number with its unit. Lengths that depend on fonts are
// estimates.
func inUnit(v float64, unit string) (quantity, bool) {
	switch unit {
	case "":
		return quantity{v, isNumber}, true
	case "%":
		return quantity{v / 100, isPercent}, true
	case "px":
		return quantity{v, isLength}, true
	case "deg":
		return quantity{v, isAngle}, true
	case "turn":
		return quantity{v * 360, isAngle}, true
	case "rad":
		return quantity{v * 180 / math.Pi, isAngle}, true
	case "grad":
		return quantity{v * .9, isAngle}, true
	case "s":
		return quantity{v, isTime}, true
	case "ms":
		return quantity{v / 1000, isTime}, true
	}
	if px, ok := unitPixels(unit); ok {
		return quantity{v * px, isLength}, true
	}
	return quantity{}, false
}

// unitPixels returns how many CSS pixels a unit of length has.
func unitPixels(unit string) (float64, bool) {
	switch unit {
	case "px":
		return 1, true
	case "pt":
		return 4. / 3, true
	case "em", "rem", "lh", "rlh", "ic", "ric", "cap", "rcap":
		return 16, true
	case "ch", "ex", "rch", "rex":
		return 8, true
	case "vw", "dvw", "svw", "lvw", "vi", "dvi", "svi", "lvi", "vmax", "dvmax", "svmax", "lvmax", "cqw", "cqi", "cqmax":
		return screenWidth / 100., true
	case "vh", "dvh", "svh", "lvh", "vb", "dvb", "svb", "lvb", "vmin", "dvmin", "svmin", "lvmin", "cqh", "cqb", "cqmin":
		return screenHeight / 100., true
	case "cm":
		return 96 / 2.54, true
	case "mm":
		return 9.6 / 2.54, true
	case "q":
		return 2.4 / 2.54, true
	case "in":
		return 96, true
	case "pc":
		return 16, true
	}
	return 0, false
}
