package pdf

import (
	"math"
	"strconv"
	"strings"

	core "github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// font turns the codes of strings into text and widths: ISO 32000-1, sections
// 9.5 to 9.10.
type font struct {
	composite bool
	codes     *cmap // composite: how strings are cut, and what cid a code has
	unicode   *cmap // ToUnicode, or nil
	identity  bool  // ToUnicode says that codes are characters
	names     *[256]string
	cids      *collection       // what identifiers mean; composite, may be nil
	texts     map[uint32]string // codes that were decoded before; composite
	widths    [256]float64      // simple, in text space at size 1
	cidWidths map[uint32]float64
	dw        float64 // width of what has none
	bold      bool
	mono      bool
	scale     float64 // Type 3: glyph space to text space
	em        float64 // how high its letters are at size 1
}

// font returns the font of a resource, read once.
func (d *document) font(o types.Object) *font {
	ref, ok := o.(types.IndirectRef)
	if ok {
		if f := d.fonts[int(ref.ObjectNumber)]; f != nil {
			return f
		}
	}
	dict := d.dict(o)
	if dict == nil {
		return nil
	}
	f := d.readFont(dict)
	if ok {
		d.fonts[int(ref.ObjectNumber)] = f
	}
	d.steps -= 1000 // direct dictionaries are read each time
	return f
}

func (d *document) readFont(dict types.Dict) *font {
	f := &font{dw: 0, scale: .001, em: 1}
	base := d.name(dict["BaseFont"])
	if _, rest, ok := strings.Cut(base, "+"); ok && len(base)-len(rest) == 7 {
		base = rest
	}
	desc := d.dict(dict["FontDescriptor"])
	if b := d.stream(dict["ToUnicode"]); b != nil {
		f.unicode = parseCMap(b)
	} else if n := d.name(dict["ToUnicode"]); strings.HasPrefix(n, "Identity") {
		f.identity = true
	}
	if d.name(dict["Subtype"]) == "Type0" {
		f.composite = true
		if kids := d.array(dict["DescendantFonts"]); len(kids) > 0 {
			d.readComposite(f, dict, d.dict(kids[0]))
			if kid := d.dict(kids[0]); kid != nil {
				desc = d.dict(kid["FontDescriptor"])
			}
		}
	} else {
		d.readSimple(f, dict, desc, base)
	}
	f.style(base, desc, d)
	return f
}

// style reads of a font's name and flags whether it is bold or of one width.
func (f *font) style(base string, desc types.Dict, d *document) {
	low := strings.ToLower(base)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(low, p) {
				return true
			}
		}
		return false
	}
	flags, _ := d.number(desc["Flags"])
	weight, _ := d.number(desc["StemV"])
	f.bold = has("bold", "black", "heavy", "-demi", "cmbx", "sfbx") || strings.HasSuffix(low, "medi") || int(flags)&(1<<18) != 0 && weight > 120
	f.mono = int(flags)&1 != 0 || has("courier", "mono", "cmtt", "sftt", "typewriter", "consol", "-tt", "lmtt", "inconsolata", "ectt", "txtt", "luxi-mono")
	if f.composite && has("gothic", "mincho", "song", "ming", "hei", "kai", "batang", "gulim", "cjk", "ipa") {
		f.mono = false // all of its characters have one width, and its text is not code
	}
}

func (d *document) readSimple(f *font, dict, desc types.Dict, base string) {
	encoding := ""
	var differences types.Array
	switch e := d.get(dict["Encoding"]).(type) {
	case types.Name:
		encoding = string(e)
	case types.Dict:
		encoding = d.name(e["BaseEncoding"])
		differences = d.array(e["Differences"])
	}
	subtype := d.name(dict["Subtype"])
	coreName := coreFont(base)
	switch {
	case coreName == "Symbol" && encoding == "", coreName == "ZapfDingbats":
		f.names = baseEncoding(coreName)
	case subtype == "TrueType" && (encoding == "" || differences == nil && d.isSymbolic(desc)):
		// Symbolic: the font's own table decides, and what is left to say of
		// the codes is what they mostly are.
		f.names = baseEncoding("WinAnsiEncoding")
	default:
		f.names = baseEncoding(encoding)
	}
	if encoding == "" && subtype != "Type3" && f.unicode == nil {
		d.readOwnEncoding(f, desc)
	}
	d.readDifferences(f, differences, subtype == "Type3")
	if subtype == "Type3" {
		if m := d.numbers(dict["FontMatrix"], 6); m != nil && m[0] != 0 {
			f.scale = max(m[0], -m[0])
			f.em = emOf(d.numbers(dict["FontBBox"], 4), m)
		}
	}
	d.readWidths(f, dict, desc, coreName)
}

// emOf is how high the letters of a Type 3 font are at size 1, given its box and matrix: those of
// bitmaps have a pixel as unit, and a size of a part of a point. Boxes of ordinary fonts say it
// roughly, so that 1 stands for what is near it, and for an empty box.
func emOf(box, m []float64) float64 {
	if box == nil {
		return 1
	}
	em := math.Abs((box[3] - box[1]) * m[3])
	if !(em > 2 && em < 1e4 || em > 0 && em < .5) {
		return 1
	}
	return em
}

// isSymbolic reports whether the flags of a font say that its codes are its own.
func (d *document) isSymbolic(desc types.Dict) bool {
	flags, ok := d.number(desc["Flags"])
	return ok && int(flags)&4 != 0 && int(flags)&32 == 0
}

// readOwnEncoding takes the encoding that a Type 1 font file has.
func (d *document) readOwnEncoding(f *font, desc types.Dict) {
	b := d.stream(desc["FontFile"])
	if b == nil {
		if file, ok := d.get(desc["FontFile3"]).(types.StreamDict); ok && d.name(file.Dict["Subtype"]) == "Type1C" {
			for c, s := range compactEncoding(d.stream(desc["FontFile3"])) {
				f.names[c] = s
			}
		}
		return
	}
	own := type1Encoding(b)
	if own != nil {
		f.names = &[256]string{}
	}
	for c, n := range own {
		f.names[c] = glyphText(n)
	}
}

// readDifferences changes the encoding of a simple font (section 9.6.5). counting
// says that names may be made up of codes.
func (d *document) readDifferences(f *font, differences types.Array, counting bool) {
	at := 0
	for _, o := range differences[:min(len(differences), 1024)] {
		switch v := d.get(o).(type) {
		case types.Integer:
			at = int(v)
		case types.Name:
			if at >= 0 && at < 256 {
				f.names[at] = glyphText(string(v))
				if f.names[at] == "" && counting {
					f.names[at] = counted(string(v))
				}
			}
			at++
		}
	}
}

// readWidths reads the widths of a simple font: its own, or those of the
// standard font that it is.
func (d *document) readWidths(f *font, dict, desc types.Dict, coreName string) {
	missing, _ := d.number(desc["MissingWidth"])
	for c := range f.widths {
		f.widths[c] = missing * f.scale
	}
	list := d.array(dict["Widths"])
	if list == nil {
		f.coreWidths(coreName)
		return
	}
	first, _ := d.number(dict["FirstChar"])
	for i, o := range list[:min(len(list), 256)] {
		if c := int(first) + i; c >= 0 && c < 256 {
			if w, ok := d.number(o); ok {
				f.widths[c] = w * f.scale
			}
		}
	}
}

// counted reads names that are made up of a letter and a code, as "a65" is:
// fonts of TeX's bitmaps have them. Their codes are those of TeX's first
// encoding, which is ASCII but for a few.
func counted(name string) string {
	if len(name) < 2 || len(name) > 4 {
		return ""
	}
	n, err := strconv.Atoi(name[1:])
	switch {
	case err != nil || n > 126:
		return ""
	case n >= 11 && n <= 15:
		return [...]string{"ff", "fi", "fl", "ffi", "ffl"}[n-11]
	case n == 123:
		return "\u2013"
	case n == 124:
		return "\u2014"
	case n > ' ':
		return string(rune(n))
	}
	return ""
}

// coreFonts are the standard fonts by how names begin: regular, bold, italic, both.
var coreFonts = []struct {
	prefix string
	names  [4]string
}{
	{"symbol", [4]string{"Symbol", "Symbol", "Symbol", "Symbol"}},
	{"zapfdingbats", [4]string{"ZapfDingbats", "ZapfDingbats", "ZapfDingbats", "ZapfDingbats"}},
	{"courier", [4]string{"Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"}},
	{"times", [4]string{"Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"}},
	{"helvetica", [4]string{"Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"}},
	{"arial", [4]string{"Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"}},
}

// coreFont is which of the 14 standard fonts a name means, or "".
func coreFont(base string) string {
	low := strings.ToLower(strings.ReplaceAll(base, " ", ""))
	kind := 0
	if strings.Contains(low, "bold") {
		kind++
	}
	if strings.Contains(low, "italic") || strings.Contains(low, "oblique") {
		kind += 2
	}
	for _, f := range coreFonts {
		if strings.HasPrefix(low, f.prefix) {
			return f.names[kind]
		}
	}
	return ""
}

// coreWidths are the widths of a standard font, which a PDF may leave out.
func (f *font) coreWidths(name string) {
	if name == "" {
		name = "Helvetica"
	}
	defer func() { _ = recover() }() // the widths so far are better than none
	for c := range f.widths {
		f.widths[c] = .5
		for _, r := range f.names[c] {
			if w, err := core.CharWidth(name, r); err == nil && w > 0 {
				f.widths[c] = float64(w) / 1000
			}
			break
		}
	}
}

func (d *document) readComposite(f *font, dict, kid types.Dict) {
	switch e := d.get(dict["Encoding"]).(type) {
	case types.Name:
		f.codes = predefined(string(e))
	case types.StreamDict:
		f.codes = parseCMap(d.stream(e))
		if base := d.name(e.Dict["UseCMap"]); base != "" && f.codes.named == nil {
			if p := predefined(base); p != nil {
				f.codes.named = p.named
				f.codes.spaces = append(f.codes.spaces, p.spaces...)
			}
		}
		if v, ok := d.number(e.Dict["WMode"]); ok {
			f.codes.vertical = v == 1
		}
	}
	if f.codes == nil {
		f.codes = predefined("Identity-H")
	}
	if info := d.dict(kid["CIDSystemInfo"]); info != nil && f.codes.named == nil && d.text(info["Registry"]) == "Adobe" {
		f.cids = collections()[d.text(info["Ordering"])]
	}
	f.texts = map[uint32]string{}
	f.dw = 1
	if v, ok := d.number(kid["DW"]); ok {
		f.dw = v / 1000
	}
	d.readCIDWidths(f, d.array(kid["W"]))
}

// readCIDWidths reads the W array of a composite font (section 9.7.4.3).
func (d *document) readCIDWidths(f *font, list types.Array) {
	f.cidWidths = map[uint32]float64{}
	for i := 0; i+1 < len(list) && len(f.cidWidths) < 1<<17; {
		first, ok := d.number(list[i])
		if !ok || first < 0 {
			break
		}
		if ws := d.array(list[i+1]); ws != nil {
			for k, o := range ws {
				if w, ok := d.number(o); ok {
					f.cidWidths[uint32(first)+uint32(k)] = w / 1000
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			break
		}
		last, _ := d.number(list[i+1])
		w, _ := d.number(list[i+2])
		for c := first; c <= last && c < 1<<17; c++ {
			f.cidWidths[uint32(c)] = w / 1000
		}
		i += 3
	}
}

// decode cuts the next code off a string.
func (f *font) decode(s []byte) (text string, width float64, isSpace bool, size int) {
	if !f.composite {
		c := s[0]
		text = f.names[c]
		if f.unicode != nil {
			if t, ok := f.unicode.text(uint32(c)); ok && useful(t) {
				text = t
			}
		}
		return text, f.widths[c], c == ' ', 1
	}
	c, size := f.codes.cut(s)
	cid := c
	if v, ok := f.codes.cid(c); ok {
		cid = v
	} else if f.codes.named != nil && c < 0x7f && c >= 0x20 {
		cid = c - 0x1f // the four collections of Adobe begin with ASCII
	}
	width = f.dw
	if w, ok := f.cidWidths[cid]; ok {
		width = w
	}
	text, ok := f.texts[c]
	if !ok {
		text = f.compositeText(c, cid, size)
		if len(f.texts) < 1<<16 {
			f.texts[c] = text
		}
	}
	return text, width, size == 1 && c == ' ', size
}

// compositeText is the text of a code, from the first source that knows it.
func (f *font) compositeText(c, cid uint32, size int) string {
	if f.unicode != nil {
		if t, ok := f.unicode.text(c); ok && useful(t) {
			return t
		}
	}
	switch {
	case f.codes.named != nil:
		return f.codes.named(c, size)
	case f.cids != nil:
		return f.cids.text(cid)
	}
	if f.identity && c >= ' ' && c <= 0xffff && (c < 0xd800 || c > 0xdfff) {
		return string(rune(c))
	}
	return ""
}

// useful reports whether a ToUnicode entry says anything: some writers map
// what they do not know to NUL or to private codes.
func useful(s string) bool {
	for _, r := range s {
		if r > 0 && r != 0xfffd && (r < 0xe000 || r > 0xf8ff) {
			return true
		}
	}
	return false
}
