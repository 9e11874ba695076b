package fetch

import (
	"regexp"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/tags"
)

// declaredInside returns the label of the encoding that a document declares in
// its first bytes, by an XML declaration or by <meta> (HTML standard, "prescan
// a byte stream to determine its encoding"), or "".
func declaredInside(b []byte) string {
	if m := xmlDeclaration().FindSubmatch(b); m != nil {
		return insideLabel(string(m[1]) + string(m[2]))
	}
	declared := ""
	tags.Each(b, true, func(name string, attrs map[string]string) (done bool) {
		if name != "meta" {
			return false
		}
		label := attrs["charset"]
		if label == "" && strings.EqualFold(attrs["http-equiv"], "content-type") {
			label = contentCharset(attrs["content"])
		}
		if _, known := lookup(label); known != "" {
			declared = insideLabel(label)
		}
		return declared != ""
	})
	return declared
}

var (
	xmlDeclaration = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^<\?xml[^>]*?encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^">]*)"|'([^'>]*)')`)
	})
	// A quotation mark without a second one declares nothing, as the standard says.
	charsetPragma = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)charset[ \t\r\n\f]*=[ \t\r\n\f]*(?:"([^"]*)("|$)|'([^']*)('|$)|([^ \t\r\n\f;]*))`)
	})
)

// insideLabel corrects a label that a document gives for itself: what could be
// read cannot be UTF-16.
func insideLabel(label string) string {
	if _, name := lookup(label); strings.HasPrefix(name, "utf-16") {
		return "utf-8"
	}
	return label
}

// contentCharset finds "charset=" in the content of a pragma.
func contentCharset(s string) string {
	m := charsetPragma().FindStringSubmatch(s)
	if m == nil || m[1] != "" && m[2] == "" || m[3] != "" && m[4] == "" {
		return ""
	}
	return m[1] + m[3] + m[5]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
