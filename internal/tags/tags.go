// Package tags provides the start tags of markup, for what is decided before a page is
// parsed: its encoding, its refresh, the variants that it names.
//
//	tags.Each(head, false, func(name string, attrs map[string]string) (done bool) {
//		if name == "base" {
//			base = attrs["href"]
//		}
//		return name == "body"
//	})
//
// # Guarantees
//
// The functions are pure and take linear time. Markup that is cut or broken gives the tags
// that are complete.
package tags

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
)

// Each calls f for the start tags of a document, with the first attribute of each name,
// until f is done. within says that what is in scripts, titles and the like counts too.
func Each(b []byte, within bool, f func(name string, attrs map[string]string) (done bool)) {
	z := html.NewTokenizer(bytes.NewReader(b))
	templates := 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		tag, more := z.TagName()
		name := string(tag)
		if name == "template" && !within {
			switch kind {
			case html.StartTagToken:
				templates++
			case html.EndTagToken:
				templates = max(templates-1, 0)
			}
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken || templates > 0 {
			continue
		}
		if within {
			z.NextIsNotRawText()
		}
		attrs := map[string]string{}
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			if _, twice := attrs[string(key)]; !twice {
				attrs[string(key)] = string(value)
			}
		}
		if f(name, attrs) {
			return
		}
	}
}

// Text counts the bytes of a document's visible text, without spaces, up to most.
func Text(b []byte, most int) (n int) {
	z := html.NewTokenizer(bytes.NewReader(b))
	for hidden := false; n < most; {
		switch z.Next() {
		case html.ErrorToken:
			return n
		case html.TextToken:
			if !hidden {
				n += len(bytes.Join(bytes.Fields(z.Raw()), nil))
			}
			hidden = false
		case html.StartTagToken:
			name, _ := z.TagName()
			hidden = slices.Contains([]string{"noscript", "script", "style", "title", "template", "textarea"}, string(name))
		}
	}
	return most
}
