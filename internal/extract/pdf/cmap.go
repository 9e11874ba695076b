package pdf

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// maxMappings bounds the entries of one CMap; a range is one.
const maxMappings = 1 << 17

// cmap maps the codes of strings to text (a ToUnicode CMap, ISO 32000-1,
// section 9.10.3) or to character identifiers (section 9.7.5).
type cmap struct {
	spaces   []codeSpace
	ranges   []mapping // sorted by lo when finished
	vertical bool
	// named is the encoding of a predefined CMap, which turns codes into text
	// without any identifiers; nil for others.
	named func(code uint32, size int) string
}

// codeSpace is a range of codes of so many bytes, each byte in its own range.
type codeSpace struct {
	size   int
	lo, hi uint32
}

// mapping maps the codes lo to hi: the first to text or cid, the next ones to
// what comes after.
type mapping struct {
	lo, hi uint32
	cid    uint32
	text   []rune
}

func code(b []byte) uint32 {
	n := uint32(0)
	for _, c := range b[:min(len(b), 4)] {
		n = n<<8 | uint32(c)
	}
	return n
}

// entry bounds the text of a ToUnicode entry.
func entry(b []byte) []byte { return b[:min(len(b), maxEntry)] }

// utf16Text decodes UTF-16, or one byte.
func utf16Text(b []byte) []rune {
	if len(b) == 1 {
		return []rune{rune(b[0])}
	}
	units := make([]uint16, 0, 4)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return utf16.Decode(units)
}

// parseCMap reads a CMap. usecmap is followed to predefined CMaps only.
func parseCMap(b []byte) *cmap {
	m := &cmap{}
	l := lexer{b: b}
	var last token
	for {
		t := l.next()
		if t.kind == tokEnd || len(m.ranges) > maxMappings || len(m.spaces) > 1000 {
			break
		}
		if t.kind == tokWord {
			switch string(t.text) {
			case "begincodespacerange":
				m.readSpaces(&l)
			case "beginbfchar", "begincidchar":
				m.readRanges(&l, true)
			case "beginbfrange", "begincidrange":
				m.readRanges(&l, false)
			case "usecmap":
				if p := predefined(string(last.text)); last.kind == tokName && p != nil {
					m.spaces = append(m.spaces, p.spaces...)
					m.named, m.vertical = p.named, p.vertical
				}
			}
		}
		if last.kind == tokName && string(last.text) == "WMode" && t.kind == tokNumber {
			m.vertical = t.num == 1
		}
		last = t
	}
	slices.SortStableFunc(m.ranges, func(a, b mapping) int { return cmp.Compare(a.lo, b.lo) })
	return m
}

func (m *cmap) readSpaces(l *lexer) {
	for len(m.spaces) < 1000 {
		lo, hi := l.next(), l.next()
		if lo.kind != tokString || hi.kind != tokString {
			return
		}
		if n := len(lo.text); n >= 1 && n <= 4 {
			m.spaces = append(m.spaces, codeSpace{n, code(lo.text), code(hi.text)})
		}
	}
}

// readRanges reads what ranges of codes mean, or single codes.
func (m *cmap) readRanges(l *lexer, single bool) {
	for len(m.ranges) < maxMappings {
		from := l.next()
		to := from
		if !single {
			to = l.next()
		}
		if from.kind != tokString || to.kind != tokString {
			return
		}
		r := mapping{lo: code(from.text), hi: code(to.text)}
		switch v := l.next(); v.kind {
		case tokString:
			r.text = utf16Text(entry(v.text))
		case tokName:
			r.text = []rune(glyphText(string(v.text)))
		case tokNumber:
			r.cid = uint32(max(v.num, 0))
		case tokOpen:
			m.readList(l, r)
			continue
		default:
			return
		}
		if r.hi >= r.lo {
			m.ranges = append(m.ranges, r)
		}
	}
}

// readList reads the texts of the codes of a range, one by one.
func (m *cmap) readList(l *lexer, r mapping) {
	for c := r.lo; ; c++ {
		e := l.next()
		if e.kind != tokString && e.kind != tokName {
			return
		}
		if c >= r.lo && c <= r.hi && len(m.ranges) < maxMappings {
			m.ranges = append(m.ranges, mapping{lo: c, hi: c, text: utf16Text(entry(e.text))})
		}
	}
}

// find returns the mapping of a code: the last one that begins at or before it
// and holds it.
func (m *cmap) find(c uint32) (mapping, bool) {
	i := sort.Search(len(m.ranges), func(n int) bool { return m.ranges[n].lo > c })
	// Ranges may overlap; a few steps back are enough for all that occur.
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		if m.ranges[k].hi >= c {
			return m.ranges[k], true
		}
	}
	return mapping{}, false
}

func (m *cmap) text(c uint32) (string, bool) {
	r, ok := m.find(c)
	if !ok || len(r.text) == 0 {
		return "", false
	}
	if c == r.lo {
		return string(r.text), true
	}
	out := slices.Clone(r.text)
	out[len(out)-1] += rune(c - r.lo)
	return string(out), true
}

func (m *cmap) cid(c uint32) (uint32, bool) {
	r, ok := m.find(c)
	if !ok {
		return 0, false
	}
	return r.cid + c - r.lo, true
}

// cut takes one code from the front of a string, by the code spaces. If none
// fits, the code has as many bytes as the shortest code space.
func (m *cmap) cut(s []byte) (c uint32, size int) {
	for n := 1; n <= 4 && n <= len(s); n++ {
		c = code(s[:n])
		for _, sp := range m.spaces {
			if sp.size == n && sp.holds(c) {
				return c, n
			}
		}
	}
	n := 2
	if len(m.spaces) > 0 {
		n = 4
		for _, sp := range m.spaces {
			n = min(n, sp.size)
		}
	}
	n = min(n, len(s))
	return code(s[:n]), n
}

func (s codeSpace) holds(c uint32) bool {
	for shift := 0; shift < 8*s.size; shift += 8 {
		b := c >> shift & 0xff
		if b < s.lo>>shift&0xff || b > s.hi>>shift&0xff {
			return false
		}
	}
	return true
}

// predefined returns a CMap of ISO 32000-1, table 118, or nil. The codes of
// those for national encodings are text already: no table of identifiers is
// needed to read them.
func predefined(name string) *cmap {
	m := &cmap{vertical: strings.HasSuffix(name, "-V") || name == "V"}
	base := strings.TrimSuffix(strings.TrimSuffix(name, "-H"), "-V")
	switch {
	case base == "Identity":
		m.spaces = []codeSpace{{2, 0, 0xffff}}
	case strings.HasPrefix(base, "Uni") && strings.Contains(base, "UTF32"):
		m.spaces = []codeSpace{{4, 0, 0x10ffff}}
		m.named = func(c uint32, _ int) string { return string(rune(c)) }
	case strings.HasPrefix(base, "Uni") && strings.Contains(base, "UTF8"):
		m.spaces = []codeSpace{{1, 0, 0x7f}, {2, 0xc080, 0xdfbf}, {3, 0xe08080, 0xefbfbf}, {4, 0xf0808080, 0xf7bfbfbf}}
		m.named = func(c uint32, n int) string { return string(bytesOf(c, n)) }
	case strings.HasPrefix(base, "Uni"): // UCS2 and UTF16
		m.spaces = []codeSpace{{2, 0, 0xd7ff}, {2, 0xe000, 0xffff}, {4, 0xd800dc00, 0xdbffdfff}}
		m.named = func(c uint32, n int) string { return string(utf16Text(bytesOf(c, n))) }
	case strings.Contains(base, "RKSJ"):
		m.spaces = []codeSpace{{1, 0, 0x80}, {1, 0xa0, 0xdf}, {2, 0x8140, 0x9ffc}, {2, 0xe040, 0xfcfc}}
		m.named = decodeWith(japanese.ShiftJIS)
	case base == "EUC":
		m.spaces = []codeSpace{{1, 0, 0x80}, {2, 0x8ea0, 0x8edf}, {2, 0xa1a1, 0xfefe}}
		m.named = decodeWith(japanese.EUCJP)
	case base == "H", base == "V", base == "Ext", base == "Add":
		m.spaces = []codeSpace{{2, 0x2121, 0x7e7e}}
		euc := decodeWith(japanese.EUCJP)
		m.named = func(c uint32, n int) string { return euc(c|0x8080, n) }
	case strings.HasPrefix(base, "GB"):
		m.spaces = []codeSpace{{1, 0, 0x80}, {4, 0x81308130, 0xfe39fe39}, {2, 0x8140, 0xfefe}}
		m.named = decodeWith(simplifiedchinese.GB18030)
	case strings.HasPrefix(base, "B5"), strings.HasPrefix(base, "ET"), strings.HasPrefix(base, "HK"):
		m.spaces = []codeSpace{{1, 0, 0x80}, {2, 0x8140, 0xfefe}}
		m.named = decodeWith(traditionalchinese.Big5)
	case strings.HasPrefix(base, "KSC"):
		m.spaces = []codeSpace{{1, 0, 0x80}, {2, 0x8141, 0xfefe}}
		m.named = decodeWith(korean.EUCKR)
	default:
		return nil
	}
	return m
}

func bytesOf(c uint32, n int) []byte {
	b := []byte{byte(c >> 24), byte(c >> 16), byte(c >> 8), byte(c)}
	return b[4-n:]
}

func decodeWith(e encoding.Encoding) func(uint32, int) string {
	return func(c uint32, n int) string {
		b, err := e.NewDecoder().Bytes(bytesOf(c, n))
		if err != nil {
			return ""
		}
		return string(b)
	}
}
