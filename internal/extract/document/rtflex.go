package document

import (
	"math"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

type richKind uint8

const (
	richEnd richKind = iota
	richOpen
	richClose
	richLetterRun
	richHex
	richWord
)

// richToken is a piece of a file. A control word has a name and, if given, a number; a control
// symbol has its character as name.
type richToken struct {
	kind  richKind
	text  []byte
	name  string
	n     int
	given bool
}

type richLexer struct {
	b  []byte
	at int
}

func (l *richLexer) next() richToken {
	for l.at < len(l.b) {
		switch c := l.b[l.at]; c {
		case '{':
			l.at++
			return richToken{kind: richOpen}
		case '}':
			l.at++
			return richToken{kind: richClose}
		case '\\':
			return l.control()
		case '\r', '\n', 0:
			l.at++
		default:
			from := l.at
			for l.at < len(l.b) && !strings.ContainsRune("{}\\\r\n\x00", rune(l.b[l.at])) {
				l.at++
			}
			return richToken{kind: richLetterRun, text: l.b[from:l.at]}
		}
	}
	return richToken{}
}

// control reads a control word or a control symbol.
func (l *richLexer) control() richToken {
	l.at++
	if l.at >= len(l.b) {
		return richToken{}
	}
	if c := l.b[l.at]; !isLetter(c) {
		l.at++
		if c == '\n' || c == '\r' {
			return richToken{kind: richWord, name: "par"}
		}
		if c != '\'' {
			return richToken{kind: richWord, name: string(c)}
		}
		if l.at+2 > len(l.b) {
			return richToken{}
		}
		hi, lo := hexValue(l.b[l.at]), hexValue(l.b[l.at+1])
		l.at += 2
		if hi < 0 || lo < 0 {
			return richToken{kind: richHex}
		}
		return richToken{kind: richHex, text: []byte{byte(hi<<4 | lo)}}
	}
	from := l.at
	for l.at < len(l.b) && isLetter(l.b[l.at]) {
		l.at++
	}
	t := richToken{kind: richWord, name: string(l.b[from:l.at])}
	from = l.at
	if l.at < len(l.b) && l.b[l.at] == '-' {
		l.at++
	}
	for l.at < len(l.b) && l.b[l.at] >= '0' && l.b[l.at] <= '9' {
		l.at++
	}
	n, err := strconv.Atoi(string(l.b[from:l.at]))
	t.n, t.given = min(max(n, math.MinInt32), math.MaxInt32), err == nil
	if l.at < len(l.b) && l.b[l.at] == ' ' {
		l.at++
	}
	return t
}

// richLetters are the control words and symbols that stand for a text.
var richLetters = map[string]string{
	"~": "\u00a0", "_": "\u2011", "tab": " ", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"bullet": "•", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "\\": "\\", "{": "{", "}": "}",
}

// charsetsOfFonts are those of \fcharset.
var charsetsOfFonts = map[int]string{
	77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258",
	177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250",
}

func codePage(n int) string {
	switch n {
	case 932:
		return "shift_jis"
	case 936:
		return "gbk"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 10000:
		return "macintosh"
	case 65001:
		return "utf-8"
	case 866:
		return "ibm866"
	}
	return "windows-" + strconv.Itoa(n)
}

// word follows a control word.
func (r *rich) word(t richToken, l *richLexer) {
	on := !t.given || t.n != 0
	if s, ok := richLetters[t.name]; ok {
		if r.skipping > 0 {
			r.skipping--
			return
		}
		r.letter(s)
		return
	}
	if t.name == "u" {
		r.unicode(t.n)
		return
	}
	if t.name == "bin" {
		l.at = min(len(l.b), l.at+max(t.n, 0))
		return
	}
	r.flush()
	r.skipping = 0
	switch t.name {
	case "*": // a group that programs may skip: those that are read are below
		r.optional(l)
	case "fonttbl", "colortbl", "stylesheet", "title", "author", "subject", "fldinst":
		r.into = t.name
		r.colour = map[bool]int{true: -1, false: r.colour}[t.name == "colortbl"]
	case "listtext", "pntext":
		r.into = "listtext"
		delete(r.said, "listtext")
	case "info", "pict", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "objdata", "template", "filetbl", "revtbl", "private", "nonshppict",
		"xe", "tc", "bkmkstart", "bkmkend", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "annotation", "atnid", "atnauthor", "keycode", "operator", "company", "doccomm", "comment", "keywords", "creatim", "revtim", "printim", "nonesttables", "fchars", "lchars", "datafield", "formfield", "sp", "shprslt", "fname", "falt", "panose":
		r.skip = t.name != "info"
		if t.name == "info" {
			r.into = "info"
		}
	case "footnote":
		if r.skip || r.into != "" || len(r.outer) > 0 {
			r.skip = true
			break
		}
		r.outer = append(r.outer, richNote{len(r.stack), r.richParagraph, r.said["listtext"]})
		delete(r.said, "listtext")
		r.richParagraph = richParagraph{}
	case "field":
		delete(r.said, "fldinst")
	case "fldrslt":
		if k := len(r.fields); k > 0 && r.fields[k-1].depth == len(r.stack) { // a group has one
			break
		}
		r.fields = append(r.fields, richField{len(r.stack), len(r.out), addressIn(r.words("fldinst"))})
		delete(r.said, "fldinst")
	case "par", "sect", "page", "column":
		if r.live() {
			r.paragraph()
		}
	case "line":
		if r.live() {
			r.take(page.Inline{Kind: page.Break})
		}
	case "cell", "nestcell":
		if r.live() {
			if r.inner = false; t.name == "nestcell" {
				r.beginNest()
			}
			r.endCell()
		}
	case "row", "nestrow":
		if r.live() {
			if t.name == "nestrow" {
				r.endNestRow()
				break
			}
			r.endRow()
		}
	case "s":
		if r.into == "stylesheet" {
			r.style = t.n
		} else if r.live() {
			r.heading = r.levels[t.n]
		}
	case "outlinelevel":
		switch {
		case t.n < 0 || t.n >= 9:
		case r.into == "stylesheet":
			r.levels[r.style] = t.n + 1
		case r.live():
			r.heading = t.n + 1
		}
	case "intbl", "itap", "pard", "ilvl":
		if r.live() { // numbers of lists, and what is not text, have paragraphs of their own
			r.place(t)
		}
	case "f":
		if r.font = t.n; r.into != "fonttbl" {
			r.charset = r.fonts[t.n]
		}
	case "fcharset":
		if r.into == "fonttbl" && len(r.fonts) < maxRichFonts {
			r.fonts[r.font] = charsetsOfFonts[t.n]
		}
	case "deff":
		r.usualFont = t.n
	case "ansicpg":
		if t.n > 0 {
			r.usual = codePage(t.n)
		}
	case "mac":
		r.usual = "macintosh"
	case "red", "green", "blue":
		if r.into == "colortbl" {
			shift := map[string]int{"red": 16, "green": 8}[t.name]
			r.colour = max(r.colour, 0) | (t.n&255)<<shift
		}
	default:
		r.look(t, on)
	}
}

// place follows the control words that say where a paragraph stands.
func (r *rich) place(t richToken) {
	switch t.name {
	case "intbl":
		r.table = true
	case "pard":
		r.heading, r.level, r.table, r.inner, r.shade = 0, 0, false, false, 0
	case "itap":
		if r.inner = false; t.n > 1 {
			r.table = true
			r.beginNest()
		}
	case "ilvl":
		r.level = t.n
	}
}

// live reports whether a paragraph of the page is being read.
func (r *rich) live() bool { return !r.skip && r.into == "" }

// look follows the control words that change how text looks.
func (r *rich) look(t richToken, on bool) {
	switch t.name {
	case "plain":
		r.reset()
	case "b":
		r.bold = on
	case "i":
		r.italic = on
	case "strike", "striked":
		r.struck = on
	case "super":
		r.above, r.below = on, false
	case "sub":
		r.below, r.above = on, false
	case "nosupersub":
		r.above, r.below = false, false
	case "v":
		r.hidden = on
	case "deleted":
		r.gone = on
	case "fs":
		if t.given {
			r.size = t.n
		}
	case "cf":
		r.colour = t.n
	case "cb", "highlight", "chcbpat":
		r.ground = t.n
	case "cbpat":
		r.shade = t.n
	case "uc":
		r.unicodeSkip = max(t.n, 0)
	}
}

// optional decides about a group that begins with \*.
func (r *rich) optional(l *richLexer) {
	at := l.at
	t := l.next()
	l.at = at
	r.painted = r.painted || t.name == "background"
	switch t.name {
	case "fldinst", "shppict", "pntext", "shpinst", "shptxt", "footnote", "nesttableprops":
		return // is read, or holds what is read
	case "cs", "ts": // a style
		if r.into == "stylesheet" {
			r.skip = true
			return
		}
		return
	}
	if t.name == "moMath" && !r.skip { // a formula
		r.b.cut = true
	}
	r.skip = true
}

// unicode takes a unit of UTF-16, for which others stand in older programs.
func (r *rich) unicode(n int) {
	if len(r.pending) > 0 {
		r.flush()
	}
	if n < 0 {
		n += 1 << 16
	}
	if !r.skip && n > 0 && n < 1<<16 {
		r.units = append(r.units, uint16(n))
	}
	r.skipping = r.unicodeSkip
}
