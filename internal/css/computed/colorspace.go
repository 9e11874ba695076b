package computed

import "math"

// Colour spaces (CSS Color Module Level 4, sections 10 and 18): all convert through
// XYZ with the white of D65.

type matrix3 [3][3]float64

func (m *matrix3) times(v [3]float64) (out [3]float64) {
	for i := range 3 {
		out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return out
}

// inverse returns the inverse of a matrix that has one.
func (m *matrix3) inverse() matrix3 {
	cof := func(r1, c1, r2, c2 int) float64 { return m[r1][c1]*m[r2][c2] - m[r1][c2]*m[r2][c1] }
	det := m[0][0]*cof(1, 1, 2, 2) - m[0][1]*cof(1, 0, 2, 2) + m[0][2]*cof(1, 0, 2, 1)
	return matrix3{
		{cof(1, 1, 2, 2) / det, -cof(0, 1, 2, 2) / det, cof(0, 1, 1, 2) / det},
		{-cof(1, 0, 2, 2) / det, cof(0, 0, 2, 2) / det, -cof(0, 0, 1, 2) / det},
		{cof(1, 0, 2, 1) / det, -cof(0, 0, 2, 1) / det, cof(0, 0, 1, 1) / det},
	}
}

// primaries returns the matrix from a linear RGB space to XYZ, made from the
// chromaticities of red, green, blue and white.
func primaries(xr, yr, xg, yg, xb, yb, xw, yw float64) matrix3 {
	m := matrix3{
		{xr / yr, xg / yg, xb / yb},
		{1, 1, 1},
		{(1 - xr - yr) / yr, (1 - xg - yg) / yg, (1 - xb - yb) / yb},
	}
	inv := m.inverse()
	s := inv.times([3]float64{xw / yw, 1, (1 - xw - yw) / yw})
	for i := range 3 {
		for j := range 3 {
			m[i][j] *= s[j]
		}
	}
	return m
}

const (
	xD65, yD65 = .3127, .3290
	xD50, yD50 = .3457, .3585
)

// linearSpace returns the matrix and the transfer curve of an RGB space.
func linearSpace(space string) (m matrix3, decode, encode func(float64) float64, ok bool) {
	power := func(g float64) (func(float64) float64, func(float64) float64) {
		return func(v float64) float64 { return math.Copysign(math.Pow(math.Abs(v), g), v) },
			func(v float64) float64 { return math.Copysign(math.Pow(math.Abs(v), 1/g), v) }
	}
	decode, encode = srgbDecode, srgbEncode
	switch space {
	case "srgb":
		m = primaries(.64, .33, .30, .60, .15, .06, xD65, yD65)
	case "srgb-linear":
		m = primaries(.64, .33, .30, .60, .15, .06, xD65, yD65)
		decode, encode = power(1)
	case "display-p3":
		m = primaries(.68, .32, .265, .69, .15, .06, xD65, yD65)
	case "display-p3-linear":
		m = primaries(.68, .32, .265, .69, .15, .06, xD65, yD65)
		decode, encode = power(1)
	case "a98-rgb":
		m = primaries(.64, .33, .21, .71, .15, .06, xD65, yD65)
		decode, encode = power(563. / 256)
	case "rec2020":
		m = primaries(.708, .292, .170, .797, .131, .046, xD65, yD65)
		decode, encode = power(2.4)
	case "prophoto-rgb":
		m = primaries(.734699, .265301, .159597, .840403, .036598, .000105, xD50, yD50)
		decode, encode = power(1.8)
	default:
		return m, nil, nil, false
	}
	return m, decode, encode, true
}

func srgbDecode(v float64) float64 {
	if a := math.Abs(v); a > .04045 {
		return math.Copysign(math.Pow((a+.055)/1.055, 2.4), v)
	}
	return v / 12.92
}

func srgbEncode(v float64) float64 {
	if a := math.Abs(v); a > .0031308 {
		return math.Copysign(1.055*math.Pow(a, 1/2.4)-.055, v)
	}
	return v * 12.92
}

// bradford adapts XYZ from the white of D50 to that of D65.
var bradford = matrix3{
	{.955473421488075, -.02309845494876471, .06325924320057072},
	{-.0283697093338637, 1.0099953980813041, .021041441191917323},
	{.012314014864481998, -.020507649298898964, 1.330365926242124},
}

// The matrices of Oklab (Björn Ottosson, "A perceptual color space for image
// processing", 2020).
var (
	oklabCones = matrix3{
		{.8190224379967030, .3619062600528904, -.1288737815209879},
		{.0329836539323885, .9292868615863434, .0361446663506424},
		{.0481771893596242, .2642395317527308, .6335478284694309},
	}
	oklabAxes = matrix3{
		{.2104542683093140, .7936177747023054, -.0040720430116193},
		{1.9779985324311684, -2.4285922420485799, .4505937096174110},
		{.0259040424655478, .7827717124575296, -.8086757549230774},
	}
)

func toXYZ(space string, c [3]float64) [3]float64 {
	switch space {
	case "hsl":
		return toXYZ("srgb", hslToRGB(c[0], c[1], c[2]))
	case "hwb":
		return toXYZ("srgb", hwbToRGB(c[0], c[1], c[2]))
	case "lch":
		return toXYZ("lab", rectangular(c))
	case "oklch":
		return toXYZ("oklab", rectangular(c))
	case "lab":
		return bradford.times(labToXYZ(c))
	case "oklab":
		axes, cones := oklabAxes.inverse(), oklabCones.inverse()
		lms := axes.times(c)
		for i := range lms {
			lms[i] = lms[i] * lms[i] * lms[i]
		}
		return cones.times(lms)
	case "xyz", "xyz-d65":
		return c
	case "xyz-d50":
		return bradford.times(c)
	}
	m, decode, _, ok := linearSpace(space)
	if !ok {
		return c
	}
	for i := range c {
		c[i] = decode(c[i])
	}
	if c = m.times(c); space == "prophoto-rgb" {
		c = bradford.times(c)
	}
	return c
}

// hwbToRGB takes hue, whiteness and blackness (CSS Color 4, section 8).
func hwbToRGB(hue, w, b float64) [3]float64 {
	if sum := w + b; sum > 1 {
		w, b = w/sum, b/sum
	}
	rgb := hslToRGB(hue, 1, .5)
	for i := range rgb {
		rgb[i] = rgb[i]*(1-w-b) + w
	}
	return rgb
}

// labToXYZ is relative to D50 (CSS Color 4, section 18).
func labToXYZ(c [3]float64) [3]float64 {
	const kappa, epsilon = 24389. / 27, 216. / 24389
	f := [3]float64{(c[0]+16)/116 + c[1]/500, (c[0] + 16) / 116, (c[0]+16)/116 - c[2]/200}
	d50 := [3]float64{xD50 / yD50, 1, (1 - xD50 - yD50) / yD50}
	for i := range f {
		if v := f[i] * f[i] * f[i]; v > epsilon {
			f[i] = v * d50[i]
		} else {
			f[i] = (116*f[i] - 16) / kappa * d50[i]
		}
	}
	return f
}

func fromXYZ(space string, c [3]float64) [3]float64 {
	switch space {
	case "hsl":
		return rgbToHSL(fromXYZ("srgb", c))
	case "hwb":
		rgb := fromXYZ("srgb", c)
		return [3]float64{rgbToHSL(rgb)[0], min(rgb[0], rgb[1], rgb[2]), 1 - max(rgb[0], rgb[1], rgb[2])}
	case "lch":
		return polar(fromXYZ("lab", c))
	case "oklch":
		return polar(fromXYZ("oklab", c))
	case "lab":
		const kappa, epsilon = 24389. / 27, 216. / 24389
		back := bradford.inverse()
		c = back.times(c)
		d50 := [3]float64{xD50 / yD50, 1, (1 - xD50 - yD50) / yD50}
		for i := range c {
			if v := c[i] / d50[i]; v > epsilon {
				c[i] = math.Cbrt(v)
			} else {
				c[i] = (kappa*v + 16) / 116
			}
		}
		return [3]float64{116*c[1] - 16, 500 * (c[0] - c[1]), 200 * (c[1] - c[2])}
	case "oklab":
		lms := oklabCones.times(c)
		for i := range lms {
			lms[i] = math.Cbrt(lms[i])
		}
		return oklabAxes.times(lms)
	case "xyz", "xyz-d65":
		return c
	case "xyz-d50":
		back := bradford.inverse()
		return back.times(c)
	}
	m, _, encode, ok := linearSpace(space)
	if !ok {
		return c
	}
	if space == "prophoto-rgb" {
		back := bradford.inverse()
		c = back.times(c)
	}
	inv := m.inverse()
	c = inv.times(c)
	for i := range c {
		c[i] = encode(c[i])
	}
	return c
}

func polar(c [3]float64) [3]float64 {
	return [3]float64{c[0], math.Hypot(c[1], c[2]), math.Mod(math.Atan2(c[2], c[1])*180/math.Pi+360, 360)}
}

func rectangular(c [3]float64) [3]float64 {
	sin, cos := math.Sincos(c[2] * math.Pi / 180)
	return [3]float64{c[0], c[1] * cos, c[1] * sin}
}

func hslToRGB(h, s, l float64) [3]float64 {
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		if k < 0 {
			k += 12
		}
		return l - s*math.Min(l, 1-l)*math.Max(-1, math.Min(math.Min(k-3, 9-k), 1))
	}
	return [3]float64{f(0), f(8), f(4)}
}

func rgbToHSL(c [3]float64) [3]float64 {
	hi, lo := max(c[0], c[1], c[2]), min(c[0], c[1], c[2])
	l, d := (hi+lo)/2, hi-lo
	if d < 1e-9 {
		return [3]float64{0, 0, l}
	}
	h := 0.0
	switch hi {
	case c[0]:
		h = math.Mod((c[1]-c[2])/d+6, 6)
	case c[1]:
		h = (c[2]-c[0])/d + 2
	default:
		h = (c[0]-c[1])/d + 4
	}
	return [3]float64{60 * h, d / math.Max(1e-9, 1-math.Abs(2*l-1)), l}
}
