package pdf

import (
	"sort"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// This file knows what the names of glyphs mean, after Adobe's glyph list and
// its rules for names that are not in it, and the encodings that a font can
// name: ISO 32000-1, annex D.

// glyphNames are the names that do not follow from a rule, sorted: single
// letters and letters with an accent do.
const glyphNames = `
AE:c6 Alpha:391 Beta:392 Chi:3a7 Dcroat:110 Delta:394 Digamma:3dc Dslash:110 Eng:14a Epsilon:395 Eta:397 Eth:d0
Euro:20ac Finv:2132 Gamma:393 H18533:25a0 H18543:25aa H18551:25ab H22073:25a1 Hbar:126 IJ:132 Ifractur:2111 Iota:399
Kappa:39a Lambda:39b Ldot:13f Lslash:141 Mu:39c Nu:39d OE:152 Ohm:2126 Ohorn:1a0 Omega:3a9 Omicron:39f Oslash:d8
Phi:3a6 Pi:3a0 Psi:3a8 Rfractur:211c Rho:3a1 Scommaaccent:218 Sigma:3a3 Tau:3a4 Tbar:166 Theta:398 Thorn:de Uhorn:1af
Upsilon:3a5 Upsilon1:3d2 Xi:39e Zeta:396 acute:b4 ae:e6 afii00208:2015 afii10017:410 afii10018:411 afii10019:412
afii10020:413 afii10021:414 afii10022:415 afii10023:401 afii10024:416 afii10025:417 afii10026:418 afii10027:419
afii10028:41a afii10029:41b afii10030:41c afii10031:41d afii10032:41e afii10033:41f afii10034:420 afii10035:421
afii10036:422 afii10037:423 afii10038:424 afii10039:425 afii10040:426 afii10041:427 afii10042:428 afii10043:429
afii10044:42a afii10045:42b afii10046:42c afii10047:42d afii10048:42e afii10049:42f afii10050:490 afii10051:402
afii10052:403 afii10053:404 afii10054:405 afii10055:406 afii10056:407 afii10057:408 afii10058:409 afii10059:40a
afii10060:40b afii10061:40c afii10062:40e afii10065:430 afii10066:431 afii10067:432 afii10068:433 afii10069:434
afii10070:435 afii10071:451 afii10072:436 afii10073:437 afii10074:438 afii10075:439 afii10076:43a afii10077:43b
afii10078:43c afii10079:43d afii10080:43e afii10081:43f afii10082:440 afii10083:441 afii10084:442 afii10085:443
afii10086:444 afii10087:445 afii10088:446 afii10089:447 afii10090:448 afii10091:449 afii10092:44a afii10093:44b
afii10094:44c afii10095:44d afii10096:44e afii10097:44f afii10098:491 afii10099:452 afii10100:453 afii10101:454
afii10102:455 afii10103:456 afii10104:457 afii10105:458 afii10106:459 afii10107:45a afii10108:45b afii10109:45c
afii10110:45e afii10145:40f afii10193:45f afii301:200d afii57409:621 afii57410:622 afii57411:623 afii57412:624
afii57413:625 afii57414:626 afii57415:627 afii57416:628 afii57417:629 afii57418:62a afii57419:62b afii57420:62c
afii57421:62d afii57422:62e afii57423:62f afii57424:630 afii57425:631 afii57426:632 afii57427:633 afii57428:634
afii57429:635 afii57430:636 afii57431:637 afii57432:638 afii57433:639 afii57434:63a afii57440:640 afii57441:641
afii57442:642 afii57443:643 afii57444:644 afii57445:645 afii57446:646 afii57447:647 afii57448:648 afii57449:649
afii57450:64a afii57451:64b afii57452:64c afii57453:64d afii57454:64e afii57455:64f afii57456:650 afii57457:651
afii57458:652 afii57664:5d0 afii57665:5d1 afii57666:5d2 afii57667:5d3 afii57668:5d4 afii57669:5d5 afii57670:5d6
afii57671:5d7 afii57672:5d8 afii57673:5d9 afii57674:5da afii57675:5db afii57676:5dc afii57677:5dd afii57678:5de
afii57679:5df afii57680:5e0 afii57681:5e1 afii57682:5e2 afii57683:5e3 afii57684:5e4 afii57685:5e5 afii57686:5e6
afii57687:5e7 afii57688:5e8 afii57689:5e9 afii57690:5ea afii61352:2116 afii61664:200c aleph:2135 alpha:3b1
ampersand:26 angbracketleft:27e8 angbracketleftBig:27e8 angbracketleftBigg:27e8 angbracketleftbig:27e8
angbracketleftbigg:27e8 angbracketright:27e9 angbracketrightBig:27e9 angbracketrightBigg:27e9 angbracketrightbig:27e9
angbracketrightbigg:27e9 angle:2220 angleleft:2329 angleright:232a anoteleia:387 approxequal:2248 arrowboth:2194
arrowdblboth:21d4 arrowdbldown:21d3 arrowdblleft:21d0 arrowdblright:21d2 arrowdblup:21d1 arrowdown:2193
arrowhookleft:21a9 arrowhookright:21aa arrowleft:2190 arrownortheast:2197 arrownorthwest:2196 arrowright:2192
arrowsoutheast:2198 arrowsouthwest:2199 arrowup:2191 arrowupdn:2195 asciicircum:5e asciitilde:7e asterisk:2a
asterisk1:2217 asteriskmath:2217 at:40 backslash:5c backslashBig:5c backslashBigg:5c backslashbig:5c backslashbigg:5c
bar:7c bardbl:2225 because:2235 beta:3b2 beth:2136 bigcircle:25ef blank:2422 born:2605 braceleft:7b braceleftBig:7b
braceleftBigg:7b braceleftbig:7b braceleftbigg:7b braceright:7d bracerightBig:7d bracerightBigg:7d bracerightbig:7d
bracerightbigg:7d bracketleft:5b bracketleftBig:5b bracketleftBigg:5b bracketleftbig:5b bracketleftbigg:5b
bracketright:5d bracketrightBig:5d bracketrightBigg:5d bracketrightbig:5d bracketrightbigg:5d breve:2d8 brokenbar:a6
bullet:2022 bullet1:2219 caron:2c7 carriagereturn:21b5 cedilla:b8 ceilingleft:2308 ceilingleftBig:2308
ceilingleftBigg:2308 ceilingleftbig:2308 ceilingleftbigg:2308 ceilingright:2309 ceilingrightBig:2309
ceilingrightBigg:2309 ceilingrightbig:2309 ceilingrightbigg:2309 cent:a2 centigrade:2103 check:2713 checkmark:2713
chi:3c7 circleR:ae circleS:24c8 circledivide:2298 circledot:2299 circledotdisplay:2a00 circledottext:2a00
circleminus:2296 circlemultiply:2297 circlemultiplydisplay:2a02 circlemultiplytext:2a02 circleplus:2295
circleplusdisplay:2a01 circleplustext:2a01 circumflex:2c6 club:2663 colon:3a colonmonetary:20a1 comma:2c
commaaccent:326 complement:2201 compwordmark:200b congruent:2245 contintegraldisplay:222e contintegraltext:222e
coproduct:2210 coproductdisplay:2210 coproducttext:2210 copyleft:2184 copyright:a9 currency:a4 cwm:200b dagger:2020
daggerdbl:2021 daleth:2138 dblbracketleft:27e6 dblbracketright:27e7 dblverticalbar:2016 dcroat:111 defines:225c
degree:b0 delta:3b4 diamond:2666 diamondmath:22c4 died:2020 dieresis:a8 dieresistonos:385 digamma:3dd discount:2052
divide:f7 divorced:26ae dmacron:111 dollar:24 dong:20ab dotaccent:2d9 dotlessi:131 dotlessj:237 dotmath:22c5 eight:38
element:2208 ell:2113 ellipsis:2026 emdash:2014 emptyset:2205 endash:2013 eng:14b epsilon:3b5 epsilon1:3b5 equal:3d
equaldefines:225c equivalence:2261 equivasymptotic:224d estimated:212e eta:3b7 eth:f0 euro:20ac exclam:21
exclamdown:a1 existential:2203 ff:fb00 ffi:fb03 ffl:fb04 fi:fb01 figuredash:2012 filledbox:25a0 five:35 fl:fb02
flat:266d floorleft:230a floorleftBig:230a floorleftBigg:230a floorleftbig:230a floorleftbigg:230a floorright:230b
floorrightBig:230b floorrightBigg:230b floorrightbig:230b floorrightbigg:230b florin:192 follows:227b
followsequal:227d forces:22a9 four:34 fraction:2044 frown:2322 gamma:3b3 germandbls:df gimel:2137 gradient:2207
grave:60 greater:3e greaterequal:2265 greatermuch:226b greaterorsimilar:2273 guillemotleft:ab guillemotright:bb
guilsinglleft:2039 guilsinglright:203a harpoonleftdown:21bd harpoonleftup:21bc harpoonrightdown:21c1
harpoonrightup:21c0 hbar:127 heart:2665 hungarumlaut:2dd hyphen:2d hyphenchar:2d ij:133 infinity:221e integral:222b
integralbt:2321 integraldisplay:222b integraltext:222b integraltp:2320 interrobang:203d intersection:2229
intersectiondisplay:22c2 intersectionsq:2293 intersectiontext:22c2 iota:3b9 kappa:3ba kappa1:3f0 kgreenlandic:138
lambda:3bb latticetop:22a4 ldot:140 leaf:2740 less:3c lessequal:2264 lessmuch:226a lessorgreater:2276
lessorsimilar:2272 lira:20a4 logicaland:2227 logicalanddisplay:22c0 logicalandtext:22c0 logicalnot:ac logicalor:2228
logicalordisplay:22c1 logicalortext:22c1 longs:17f longst:fb05 lozenge:25ca lscript:2113 lslash:142 macron:af
maltesecross:2720 mapsto:21a6 married:26ad mho:2127 middot:b7 minus:2212 minusplus:2213 minute:2032 mu:b5
multicloseleft:22c9 multicloseright:22ca multiply:d7 musicalnote:266a nabla:2207 naira:20a6 napostrophe:149
natural:266e natural1:266e nbspace:a0 negationslash:338 nine:39 nonbreakingspace:a0 notelement:2209 notequal:2260
notsubset:2284 nu:3bd numbersign:23 numero:2116 oe:153 ogonek:2db ohorn:1a1 omega:3c9 omega1:3d6 omegapi:3d6
omicron:3bf one:31 onehalf:bd onequarter:bc onesuperior:b9 openbullet:25e6 ordfeminine:aa ordmasculine:ba oslash:f8
overscore:af owner:220b owner1:220b paragraph:b6 parallel:2225 parenleft:28 parenleftBig:28 parenleftBigg:28
parenleftbig:28 parenleftbigg:28 parenright:29 parenrightBig:29 parenrightBigg:29 parenrightbig:29 parenrightbigg:29
partialdiff:2202 percent:25 period:2e periodcentered:b7 periodmath:2e permyriad:2031 perpendicular:22a5
perthousand:2030 peso:20b1 phi:3c6 phi1:3c6 pi:3c0 planckover2pi:210f planckover2pi1:210f plus:2b plusminus:b1
precedes:227a precedesequal:227c prime:2032 primes:2032 product:220f productdisplay:220f producttext:220f
propersubset:2282 propersuperset:2283 proportional:221d psi:3c8 published:2117 question:3f questiondown:bf
quillbracketleft:2045 quillbracketright:2046 quotedbl:22 quotedblbase:201e quotedblleft:201c quotedblright:201d
quoteleft:2018 quotereversed:201b quoteright:2019 quotesinglbase:201a quotesingle:27 radical:221a radicalBig:221a
radicalBigg:221a radicalbig:221a radicalbigg:221a recipe:211e referencemark:203b reflexsubset:2286
reflexsuperset:2287 registered:ae rho:3c1 rho1:3c1 ring:2da satisfies:22a8 schwa:259 scommaaccent:219 second:2033
section:a7 semicolon:3b servicemark:2120 seven:37 sfthyphen:ad sharp:266f sigma:3c3 sigma1:3c2 sigmafinal:3c2
similar:223c similarequal:2243 six:36 slash:2f slash1:2f slashBig:2f slashBigg:2f slashbig:2f slashbigg:2f
slurabove:2322 slurbelow:2323 smile:2323 softhyphen:ad space:20 spade:2660 square:25a1 squaresolid:25a0 st:fb06
star:22c6 sterling:a3 subsetsqequal:2291 suchthat:220b suit:2663 summation:2211 summationdisplay:2211
summationtext:2211 supersetsqequal:2292 tau:3c4 tbar:167 therefore:2234 theta:3b8 theta1:3d1 thorn:fe three:33
threequarters:be threesuperior:b3 tieaccentcapital:361 tieaccentlowercase:361 tilde:2dc tonos:384 trademark:2122
triangle:25b3 triangleinv:25bd triangleleft:25c1 triangleright:25b7 trianglesolid:25b2 turnstileleft:22a2
turnstileright:22a3 two:32 twosuperior:b2 uhorn:1b0 underscore:5f union:222a uniondisplay:22c3 unionmulti:228e
unionmultidisplay:2a04 unionmultitext:2a04 unionsq:2294 unionsqdisplay:2a06 unionsqtext:2a06 uniontext:22c3
universal:2200 upsilon:3c5 vector:20d7 vextendsingleBig:7c vextendsingleBigg:7c vextendsinglebig:7c
vextendsinglebigg:7c visiblespace:2423 visualspace:2423 weierstrass:2118 won:20a9 wreathproduct:2240 xi:3be yen:a5
yen1:a5 zero:30 zerowidthnonjoiner:200c zeta:3b6`

// accents are the ends of names of letters with an accent.
const accents = "acute:301 breve:306 caron:30c cedilla:327 circumflex:302 commaaccent:326 dieresis:308 dotaccent:307 " +
	"dotbelow:323 grave:300 hookabove:309 hungarumlaut:30b macron:304 ogonek:328 ring:30a tilde:303 tonos:301 dieresistonos:344"

type named struct {
	name string
	r    rune
}

var nameTables = sync.OnceValue(func() (t [2][]named) {
	for i, s := range []string{glyphNames, accents} {
		for _, f := range strings.Fields(s) {
			n, hex, _ := strings.Cut(f, ":")
			r, _ := strconv.ParseUint(hex, 16, 32)
			t[i] = append(t[i], named{n, rune(r)})
		}
		sort.Slice(t[i], func(a, b int) bool { return t[i][a].name < t[i][b].name })
	}
	return t
})

func lookup(t []named, name string) (rune, bool) {
	i := sort.Search(len(t), func(i int) bool { return t[i].name >= name })
	if i < len(t) && t[i].name == name {
		return t[i].r, true
	}
	return 0, false
}

// glyphText is the text that a glyph's name stands for, or "".
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".") // a variant: "a.sc"
	if name == "" || len(name) > 64 {
		return ""
	}
	if strings.Contains(name, "_") { // a ligature: "f_f_i"
		var b strings.Builder
		for part := range strings.SplitSeq(name, "_") {
			b.WriteString(oneGlyph(part))
		}
		return b.String()
	}
	return oneGlyph(name)
}

func oneGlyph(name string) string {
	if len(name) < 2 {
		if name != "" && (name[0]|0x20 < 'a' || name[0]|0x20 > 'z') {
			return ""
		}
		return name
	}
	if r, ok := lookup(nameTables()[0], name); ok {
		return string(r)
	}
	if strings.HasPrefix(name, "uni") && len(name) >= 7 {
		return codeUnits(name[3:])
	}
	if name[0] == 'u' && len(name) >= 5 && len(name) <= 7 {
		if n, err := strconv.ParseUint(name[1:], 16, 32); err == nil && n <= 0x10ffff {
			return string(rune(n))
		}
	}
	if text, ok := accentedGlyph(name); ok {
		return text
	}
	if small, ok := strings.CutSuffix(name, "small"); ok { // small capitals of old Type 1 fonts
		return strings.ToUpper(oneGlyph(strings.ToLower(small)))
	}
	if digit, ok := strings.CutSuffix(name, "oldstyle"); ok {
		return oneGlyph(digit)
	}
	return ""
}

// codeUnits reads UTF-16 code units of four hexadecimal digits each; "" if one is
// malformed.
func codeUnits(hex string) string {
	var b strings.Builder
	for ; len(hex) >= 4; hex = hex[4:] {
		n, err := strconv.ParseUint(hex[:4], 16, 16)
		if err != nil {
			return ""
		}
		b.WriteRune(rune(n))
	}
	return b.String()
}

// accentedGlyph reads a name that ends in an accent: the base is a letter or a Greek
// letter's name. It returns false for other names.
func accentedGlyph(name string) (string, bool) {
	for i := 1; i < len(name); i++ {
		mark, ok := lookup(nameTables()[1], name[i:])
		if !ok {
			continue
		}
		base := oneGlyph(name[:i])
		if base == "" {
			return "", true
		}
		return norm.NFC.String(base + string(mark)), true
	}
	return "", false
}

// The upper half of StandardEncoding from 0xA1, and Symbol from 0x20 and 0xA0.
const (
	standardHigh = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\x00–†‡·\x00¶•‚„”»…‰\x00¿\x00`´ˆ˜¯˘˙¨\x00˚¸\x00˝˛ˇ—\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00Æ\x00ª\x00\x00\x00\x00ŁØŒº\x00\x00\x00\x00\x00æ\x00\x00\x00ı\x00\x00łøœß"
	symbolLow    = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
	symbolHigh   = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\x00〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)

// baseEncoding is what the codes of a simple font mean by the name of an
// encoding; unknown names mean StandardEncoding.
func baseEncoding(name string) *[256]string {
	var t [256]string
	switch name {
	case "WinAnsiEncoding":
		for c := range t {
			t[c] = string(charmap.Windows1252.DecodeByte(byte(c)))
		}
		t[0xa0], t[0xad] = " ", "-"
	case "MacRomanEncoding":
		for c := range t {
			t[c] = string(charmap.Macintosh.DecodeByte(byte(c)))
		}
		t[0xca] = " "
	case "Symbol":
		fill(&t, 0x20, symbolLow)
		fill(&t, 0xa0, symbolHigh)
	case "ZapfDingbats": // Unicode took the block over, but for what it had
		t[' '] = " "
		for c := 0x21; c < 0xff; c++ {
			t[c] = string(rune(0x2700 + c - 0x20))
			if c >= 0xa1 {
				t[c] = string(rune(0x2761 + c - 0xa1))
			}
		}
		for c, r := range map[int]rune{0x25: 0x260e, 0x2a: 0x261b, 0x2b: 0x261e, 0x48: 0x2605, 0x6c: 0x25cf, 0x6e: 0x25a0,
			0x73: 0x25b2, 0x74: 0x25bc, 0x75: 0x25c6, 0x77: 0x25d7, 0xa8: 0x2663, 0xa9: 0x2666, 0xaa: 0x2665, 0xab: 0x2660,
			0xd5: 0x2192, 0xd6: 0x2194, 0xd7: 0x2195} {
			t[c] = string(r)
		}
		for c := 0xac; c <= 0xb5; c++ {
			t[c] = string(rune(0x2460 + c - 0xac))
		}
	default:
		for c := 0x20; c < 0x7f; c++ {
			t[c] = string(rune(c))
		}
		t[0x27], t[0x60] = "\u2019", "\u2018"
		fill(&t, 0xa1, standardHigh)
	}
	for c := range 0x20 {
		t[c] = ""
	}
	t[0x7f] = ""
	return &t
}

func fill(t *[256]string, from int, s string) {
	for _, r := range s {
		if r != 0 {
			t[from] = string(r)
		}
		from++
	}
}
