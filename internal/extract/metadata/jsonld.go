package metadata

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Pages carry JSON-LD that no strict parser reads: commas too many or too few,
// CDATA marks, comments, line breaks within strings. This one treats commas
// and such marks as white space, keeps the members that metadata needs, skips
// all others without building them, and returns the values before the first
// error.
//
// Bounds: maxLDScript bytes a script, maxLDTotal a page, maxLDDepth levels,
// maxLDNodes values; what lies beyond is skipped.
const (
	maxLDScript = 2 << 20
	maxLDTotal  = 4 << 20
	maxLDDepth  = 32
	maxLDNodes  = 20_000
)

// ldKey is a member that is kept.
type ldKey uint8

const (
	ldType ldKey = iota
	ldID
	ldGraph
	ldHeadline
	ldName
	ldAuthor
	ldCreator
	ldPublisher
	ldPublished
	ldModified
	ldCreated
	ldUploaded
	ldLanguage
	ldDescription
	ldURL
	ldImage
	ldLicence
	ldMainEntity
	ldMainEntityOfPage
	ldGivenName
	ldFamilyName
	ldValueOf
	ldElements
	ldItem
	ldIngredients
	ldInstructions
	ldStep
	ldText
	ldAnswer
	ldStart
	numLDKeys
	ldOther
)

// ldKeys are the members that are kept, by name.
var ldKeys = map[string]ldKey{
	"@type":            ldType,
	"@id":              ldID,
	"@graph":           ldGraph,
	"headline":         ldHeadline,
	"name":             ldName,
	"author":           ldAuthor,
	"creator":          ldCreator,
	"publisher":        ldPublisher,
	"datePublished":    ldPublished,
	"dateModified":     ldModified,
	"dateCreated":      ldCreated,
	"uploadDate":       ldUploaded,
	"inLanguage":       ldLanguage,
	"description":      ldDescription,
	"url":              ldURL,
	"contentUrl":       ldURL,
	"image":            ldImage,
	"license":          ldLicence,
	"mainEntity":       ldMainEntity,
	"mainEntityOfPage": ldMainEntityOfPage,
	"givenName":        ldGivenName,
	"familyName":       ldFamilyName,
	"@value":           ldValueOf,
	"itemListElement":  ldElements,
	"item":             ldItem,

	"recipeIngredient":   ldIngredients,
	"ingredients":        ldIngredients,
	"recipeInstructions": ldInstructions,
	"step":               ldStep,
	"steps":              ldStep,
	"text":               ldText,
	"acceptedAnswer":     ldAnswer,
	"startDate":          ldStart,
}

func ldKeyOf(key string) ldKey {
	if i := strings.LastIndexAny(key, ":/"); i >= 0 {
		key = key[i+1:] // schema:name, http://schema.org/name
	}
	if k, ok := ldKeys[key]; ok {
		return k
	}
	return ldOther
}

// ldValue is a string (numbers and literals too), a list or an object.
type ldValue struct {
	text   string
	list   []*ldValue
	object *ldObject
}

// ldObject has the kept members of an object; the others are nil.
type ldObject [numLDKeys]*ldValue

// parseLD reads one script.
func parseLD(script string) *ldValue {
	p := ldParser{s: script[:min(len(script), maxLDScript)]}
	var all []*ldValue
	for p.space(); p.i < len(p.s) && len(all) < 64; p.space() {
		// Some pages put several values into one script.
		if p.s[p.i] != '{' && p.s[p.i] != '[' {
			break
		}
		all = append(all, p.value(0))
	}
	return &ldValue{list: all}
}

type ldParser struct {
	s     string
	i     int
	nodes int
}

// space moves past white space, commas, comments, and what wraps scripts in
// old pages.
func (p *ldParser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r', '\f', ',', ';':
			p.i++
			continue
		case '/':
			if strings.HasPrefix(p.s[p.i:], "/*") {
				n := strings.Index(p.s[p.i+2:], "*/")
				if n < 0 {
					p.i = len(p.s)
					return
				}
				p.i += n + 4
				continue
			}
			p.i++
			continue
		case '<', '-', ']', 0xEF:
			if n := ldWrapper(p.s[p.i:]); n > 0 {
				p.i += n
				continue
			}
		}
		return
	}
}

func ldWrapper(s string) int {
	for _, w := range [...]string{"<!--", "-->", "<![CDATA[", "]]>", text.ByteOrderMark} {
		if strings.HasPrefix(s, w) {
			return len(w)
		}
	}
	return 0
}

// value reads one value; p.i is the offset of its first byte.
func (p *ldParser) value(depth int) *ldValue {
	p.nodes++
	if depth > maxLDDepth || p.nodes > maxLDNodes {
		p.skip()
		return nil
	}
	v := new(ldValue)
	switch p.s[p.i] {
	case '{':
		p.i++
		v.object = p.object(depth)
	case '[':
		p.i++
		v.list = p.list(depth)
	case '"':
		v.text = p.string(true)
	default:
		start := p.i
		p.literal()
		v.text = p.s[start:p.i]
		if v.text == "null" || v.text == "undefined" {
			v.text = ""
		}
	}
	return v
}

// object reads the members of an object behind its brace.
func (p *ldParser) object(depth int) *ldObject {
	o := new(ldObject)
	for p.space(); p.i < len(p.s); p.space() {
		if p.s[p.i] == '}' {
			p.i++
			return o
		}
		if p.s[p.i] != '"' {
			break // not a key: the rest cannot be parsed
		}
		key := p.string(true)
		if p.space(); p.i >= len(p.s) || p.s[p.i] != ':' {
			break
		}
		p.i++
		if p.space(); p.i >= len(p.s) {
			break
		}
		if k := ldKeyOf(key); k == ldOther {
			p.skip()
		} else if m := p.value(depth + 1); o[k] == nil {
			o[k] = m
		}
	}
	p.i = len(p.s)
	return o
}

// list reads the values of a list behind its bracket.
func (p *ldParser) list(depth int) (list []*ldValue) {
	for p.space(); p.i < len(p.s); p.space() {
		if p.s[p.i] == ']' {
			p.i++
			return list
		}
		before := p.i
		if m := p.value(depth + 1); m != nil {
			list = append(list, m)
		}
		if p.i == before {
			p.i++
		}
	}
	return list
}

// skip moves past one value without building it. It does not recurse.
func (p *ldParser) skip() {
	depth := 0
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case '{', '[':
			depth++
			p.i++
		case '}', ']':
			if depth == 0 {
				return // not ours: the value was missing
			}
			depth--
			p.i++
		case '"':
			p.string(false)
		case ' ', '\t', '\n', '\r', ',', ':':
			p.i++
			continue
		default:
			p.literal()
		}
		if depth == 0 {
			return
		}
	}
}

func (p *ldParser) literal() {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte(" \t\n\r,:{}[]\"", p.s[p.i]) < 0 {
		p.i++
	}
	if p.i == start {
		p.i++
	}
}

// string reads a string from its opening quote on.
func (p *ldParser) string(keep bool) string {
	p.i++
	start := p.i
	escaped := false
	for {
		n := strings.IndexAny(p.s[p.i:], `"\`)
		if n < 0 {
			p.i = len(p.s)
			return ""
		}
		p.i += n
		if p.s[p.i] == '"' {
			p.i++
			break
		}
		escaped = true
		p.i = min(p.i+2, len(p.s))
	}
	raw := p.s[start : p.i-1]
	if !keep || !escaped {
		return raw
	}
	return ldUnescape(raw)
}

func ldUnescape(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'n', 'r', 't', 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			r, ok := ldHex(raw[i+1:])
			if !ok {
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if strings.HasPrefix(raw[i+1:], `\u`) {
					low, ok = ldHex(raw[i+3:])
				}
				if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
					i += 6
				}
			}
			b.WriteRune(r)
		default:
			b.WriteByte(raw[i])
		}
	}
	return b.String()
}

func ldHex(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}

// first returns the first string of a value: itself, its first member, or the
// @value or name of an object.
func (v *ldValue) first() string {
	for range 4 {
		switch {
		case v == nil:
			return ""
		case v.object != nil:
			if v.object[ldValueOf] != nil {
				v = v.object[ldValueOf]
			} else {
				v = v.object[ldName]
			}
		case len(v.list) > 0:
			v = v.list[0]
		default:
			return v.text
		}
	}
	return ""
}

// address returns the first address of a value: a string, or the url or @id of
// an object.
func (v *ldValue) address() string {
	for range 4 {
		switch {
		case v == nil:
			return ""
		case v.object != nil:
			if v.object[ldURL] != nil {
				v = v.object[ldURL]
			} else {
				v = v.object[ldID]
			}
		case len(v.list) > 0:
			v = v.list[0]
		default:
			return v.text
		}
	}
	return ""
}
