package about

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file knows what keys and strings of data mostly mean, whoever wrote it.

// isProse reports whether a string is sentences: words and spaces, not an
// address, a selector or a program.
func isProse(s string) bool {
	letters, spaces, others, ends, cjk := 0, 0, 0, 0, 0
	for _, r := range s {
		switch {
		case text.IsCJK(r):
			cjk++
			letters++
		case unicode.IsLetter(r), r == ',', r == '\'', r == '’':
			letters++
		case r == ' ' || r == '\n':
			spaces++
		case strings.ContainsRune(".!?。！？…", r):
			ends++
		case strings.ContainsRune("{};=<_/", r):
			others += 3
		case unicode.IsDigit(r):
		default:
			others++
		}
	}
	return (spaces >= 7 || cjk >= 16) && ends > 0 && letters > 8*others && letters < 25*(spaces+cjk+1)
}

// isCatalogue reports whether an object is a table of messages: many strings
// side by side.
func isCatalogue(v *value) bool {
	n := 0
	for i := range v.list {
		if v.list[i].kind == stringKind && strings.IndexByte(v.list[i].str, ' ') > 0 && !isMarkup(v.list[i].str) {
			n++
		}
	}
	return n >= catalogue
}

// isBullets reports whether a list of strings is one that a page shows.
func isBullets(v *value, key string) bool {
	if len(v.list) < 2 {
		return false
	}
	for _, k := range [...]string{"ingredient", "feature", "bullet", "highlight", "benefit", "step", "instruction", "specification", "requirement"} {
		if strings.Contains(key, k) {
			for i := range v.list {
				if v.list[i].kind != stringKind || len(v.list[i].str) > 2000 {
					return false
				}
			}
			return true
		}
	}
	return false
}

// reference returns the key of the entity that an object refers to in a normalised
// cache, in the form that Apollo and urql write.
func reference(v *value) string {
	if len(v.keys) > 4 {
		return ""
	}
	if r := v.text("__ref"); r != "" {
		return r
	}
	if v.text("type") == "id" {
		return v.text("id")
	}
	return ""
}

// dropsKey reports whether the value of a key, in lower case, is about the site,
// other pages or the program.
func dropsKey(key string) bool {
	switch key {
	case "i18n", "messages", "locale", "locales", "labels", "strings", "dictionary", "lang", "css", "style", "styles", "theme",
		"nav", "menu", "menus", "footer", "header", "config", "settings", "env", "flags", "features_flags", "query", "viewer", "session",
		"ads", "ad", "analytics", "tracking", "gtm", "seo", "meta", "metadata", "metatags", "opengraph", "og", "twitter", "jsonld", "structureddata",
		"legal", "terms", "privacy", "disclaimer", "copyright", "errors", "error", "author", "authors", "byline", "user", "creator",
		"alt", "alttext", "caption", "credit", "image", "images", "thumbnail", "video", "videos", "breadcrumbs", "breadcrumb",
		"trending", "popular", "latest", "mostread", "most_read", "morestories", "readmore", "read_more", "upnext", "next", "previous", "prev",
		"login", "signin", "signup", "search", "site", "publisher", "organization", "brand", "category", "tags", "topics", "sections":
		return true
	}
	for _, part := range [...]string{"related", "recommend", "translat", "cookie", "consent", "footer", "navigation", "navbar", "sidebar", "newsletter",
		"promo", "subscri", "paywall", "suggest", "metadesc", "meta_desc", "metatitle", "seotitle", "seodesc", "socialdesc", "stylesheet", "banner", "copyright", "disclaimer", "featureflag", "experiment", "globalconfig", "__config"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

func isTitleKey(key string) bool {
	switch key {
	case "title", "headline", "name", "heading", "subject", "question", "fancy_title", "pagetitle", "displayname":
		return true
	}
	return false
}

// isLabelKey reports whether a string under a key is told elsewhere.
func isLabelKey(key string) bool {
	return isTitleKey(key) || isAuthorKey(key) || isDateKey(key) || strings.HasSuffix(key, "url")
}

func isAddressKey(key string) bool {
	return key == "id" || key == "uri" || strings.Contains(key, "slug") || strings.Contains(key, "url") || strings.Contains(key, "path") || strings.Contains(key, "href") || strings.Contains(key, "permalink")
}

func isAuthorKey(key string) bool {
	switch key {
	case "author", "authors", "byline", "username", "user", "creator", "authorname", "author_name", "postedby", "writer":
		return true
	}
	return false
}

func isDateKey(key string) bool {
	switch key {
	case "datepublished", "published", "publishedat", "published_at", "publishdate", "publisheddate", "publish_date", "date", "created", "createdat", "created_at", "datecreated", "posted_at", "postedat":
		return true
	}
	return false
}

// nameOf is the name that a value says.
func nameOf(v *value, depth int) string {
	switch {
	case depth > 3:
	case v.kind == stringKind && len(v.str) <= 100 && !strings.Contains(v.str, "://"):
		return v.str
	case v.kind == listKind && len(v.list) > 0:
		return nameOf(&v.list[0], depth+1)
	case v.kind == objectKind:
		for _, k := range [...]string{"name", "displayName", "display_name", "fullName", "username", "title"} {
			if s := v.text(k); s != "" {
				return nameOf(v.get(k), depth+1)
			}
		}
	}
	return ""
}
