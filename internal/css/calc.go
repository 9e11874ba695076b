package css

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
	switch name {
	case "pi":
		return quantity{v: math.Pi}, true
	case "e":
		return quantity{v: math.E}, true
	case "infinity":
		return quantity{v: 1e9}, true
	case "-infinity":
		return quantity{v: -1e9}, true
	case "none", "nan":
		return quantity{}, name == "nan" || c.names != nil
	}
	if c.names != nil {
		if v, ok := c.names(strings.TrimPrefix(name, "-")); ok {
			if strings.HasPrefix(name, "-") {
				v = -v
			}
			return quantity{v: v}, true
		}
	}
	return quantity{}, false
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

// function evaluates the math function with a name; its arguments are next.
func (c *calculator) function(name string) (quantity, bool) {
	how := ""
	if name == "round" {
		at := c.i
		for c.i < len(c.s) && (isName(c.s[c.i]) || isSpace(c.s[c.i])) {
			c.i++
		}
		if how = strings.TrimSpace(c.s[at:c.i]); c.i >= len(c.s) || c.s[c.i] != ',' || strings.TrimLeft(how, "abcdefghijklmnopqrstuvwxyz-") != "" {
			how, c.i = "", at
		} else {
			c.i++
		}
	}
	var args [3]quantity
	n := 0
	var least, most, squares quantity
	for {
		c.space()
		var q quantity
		ok := true
		if name == "clamp" && strings.HasPrefix(c.s[c.i:], "none") {
			c.i += 4
			if q = (quantity{-1e9, isLength}); n == 2 {
				q.v = 1e9
			}
			if n > 0 && args[0].dim != isLength && args[1].dim != isLength {
				q.dim = args[1].dim
			}
		} else if q, ok = c.sum(); !ok {
			return q, false
		}
		if n == 0 {
			least, most = q, q
		} else {
			if least, q, ok = alike(least, q); !ok && name != "pow" {
				return q, false
			}
			most, q, _ = alike(most, q)
			least.v, most.v = math.Min(least.v, q.v), math.Max(most.v, q.v)
		}
		squares = quantity{squares.v + q.v*q.v, q.dim}
		if n < len(args) {
			args[n] = q
		}
		n++
		c.space()
		if c.i >= len(c.s) || c.s[c.i] != ',' {
			break
		}
		c.i++
	}
	a, b := args[0], args[1]
	plain := func(v float64) (quantity, bool) { return quantity{v: v}, n >= 1 && !math.IsNaN(v) }
	same := func(v float64) (quantity, bool) { return quantity{v, a.dim}, !math.IsNaN(v) }
	turn := func(v float64) (quantity, bool) { return quantity{v * 180 / math.Pi, isAngle}, !math.IsNaN(v) }
	radians := a.v
	if a.dim == isAngle {
		radians *= math.Pi / 180
	}
	switch name {
	case "calc", "-webkit-calc", "-moz-calc":
		return a, n == 1
	case "min":
		return least, true
	case "max":
		return most, true
	case "clamp":
		x, lo, ok1 := alike(b, a)
		x, hi, ok2 := alike(x, args[2])
		return quantity{math.Max(lo.v, math.Min(x.v, hi.v)), x.dim}, n == 3 && ok1 && ok2
	case "round":
		step := 1.0
		if n > 1 {
			step = b.v
		}
		if step == 0 {
			return quantity{}, false
		}
		switch v := a.v / step; how {
		case "up":
			return same(math.Ceil(v) * step)
		case "down":
			return same(math.Floor(v) * step)
		case "to-zero":
			return same(math.Trunc(v) * step)
		default:
			return same(math.Floor(v+.5) * step)
		}
	case "mod":
		return same(a.v - b.v*math.Floor(a.v/b.v))
	case "rem":
		return same(math.Mod(a.v, b.v))
	case "abs":
		return same(math.Abs(a.v))
	case "sign":
		switch {
		case a.v > 0:
			return plain(1)
		case a.v < 0:
			return plain(-1)
		}
		return plain(0)
	case "sin":
		return plain(math.Sin(radians))
	case "cos":
		return plain(math.Cos(radians))
	case "tan":
		return plain(math.Tan(radians))
	case "asin":
		return turn(math.Asin(a.v))
	case "acos":
		return turn(math.Acos(a.v))
	case "atan":
		return turn(math.Atan(a.v))
	case "atan2":
		return turn(math.Atan2(a.v, b.v))
	case "pow":
		return plain(math.Pow(a.v, b.v))
	case "sqrt":
		return plain(math.Sqrt(a.v))
	case "hypot":
		return quantity{math.Sqrt(squares.v), squares.dim}, true
	case "exp":
		return plain(math.Exp(a.v))
	case "log":
		if n > 1 {
			return plain(math.Log(a.v) / math.Log(b.v))
		}
		return plain(math.Log(a.v))
	}
	return quantity{}, false
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
