package weburl

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// ResolveIn is [URL.Resolve] for a link of a page that is not in UTF-8: the query of a
// web URL is written in the encoding of the page (URL standard, "percent-encode after
// encoding"). charset is a WHATWG name; with "" or one that is unknown, it is UTF-8.
func (u URL) ResolveIn(ref, charset string) (URL, error) {
	to, err := u.Resolve(ref)
	if err != nil || charset == "" || charset == "utf-8" || strings.HasPrefix(charset, "utf-16") || to.scheme != "http" && to.scheme != "https" {
		return to, err
	}
	rest, fragment, hasFragment := strings.Cut(ref, "#")
	path, query, _ := strings.Cut(rest, "?")
	if strings.IndexFunc(query, func(r rune) bool { return r > '~' }) < 0 {
		return to, nil
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return to, nil
	}
	var b strings.Builder
	b.WriteString(path + "?")
	encoder := enc.NewEncoder()
	for _, r := range query {
		if r <= '~' {
			b.WriteRune(r)
			continue
		}
		encoder.Reset()
		s, err := encoder.String(string(r))
		if err != nil { // as a form sends it
			fmt.Fprintf(&b, "%%26%%23%d%%3B", r)
			continue
		}
		for i := range len(s) {
			if c := s[i]; c > '~' || c <= ' ' || strings.IndexByte("\"#<>'", c) >= 0 {
				fmt.Fprintf(&b, "%%%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
	}
	if hasFragment {
		b.WriteString("#" + fragment)
	}
	return u.Resolve(b.String())
}
