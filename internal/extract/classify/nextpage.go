package classify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file finds the next page of a page that is one of several: its address is that of
// the page with a higher number.

// numbered is an address without the number of its page.
type numbered struct {
	place  string   // host and path
	params []string // the others, as they are
	n      int      // 0: it has none
	offset bool     // the number is that of a record
}

// next returns the address of the next page, or "". What the head of a page calls its
// next page is believed if it has a number; the next chapter of a book has none. Links
// are looked at where a page lists things: articles have lists of other articles, and
// pages of comments.
func (r *Read) next(d *verdicts) string {
	here := numberOf(r.URL)
	lists := r.Type == page.Forum || r.Type == page.Listing || r.Type == page.Collection
	if r.Next != "" {
		if n := numberOf(r.Next); n.n > here.n && (n.continues(here) || lists && hostOf(n.place) == hostOf(here.place)) {
			return r.Next
		}
	}
	if !lists {
		return ""
	}
	best, url := 0, ""
	for i := range r.Links {
		l := &r.Links[i]
		if !strings.ContainsAny(l.URL, "0123456789") {
			continue
		}
		n := numberOf(l.URL)
		if n.n > here.n && n.continues(here) && d.leadsOn(l.Text, n, here) && (url == "" || n.n < best) {
			best, url = n.n, l.URL
		}
	}
	return url
}

// leadsOn reports whether the text of a link says that it leads to a later page: a
// number, which agrees with that of the address, an arrow, or a word for it. Some sites
// count pages from 0.
func (d *verdicts) leadsOn(label string, to, here numbered) bool {
	if len(label) > maxField {
		return false
	}
	plain := dom.PlainWords(label)
	arrow := false
	switch strings.TrimSpace(label) {
	case ">", ">>", "›", "››", "»", "→", "❯":
		arrow = true
	}
	if arrow || slices.Contains(d.lists["partial next"], plain) {
		return to.offset || to.n == here.n+1 || here.n == 0 && to.n == 2
	}
	fields := strings.Fields(plain)
	if len(fields) == 0 || len(fields) > 4 || len(fields) > 1 && !slices.Contains(d.lists["partial page"], fields[len(fields)-2]) {
		return false
	}
	n, err := strconv.Atoi(fields[len(fields)-1])
	return err == nil && n > 1 && (to.offset && to.n >= n || to.n == n || to.n == n-1)
}

// continues reports whether two addresses differ in the number of the page alone. The
// later one may have more parameters.
func (n numbered) continues(here numbered) bool {
	if n.place != here.place {
		return false
	}
	for _, p := range here.params {
		if !slices.Contains(n.params, p) {
			return false
		}
	}
	return true
}

func hostOf(place string) string {
	host, _, _ := strings.Cut(place, "/")
	return host
}

// numberOf takes the number of the page out of an address.
func numberOf(u string) numbered {
	u, _, _ = strings.Cut(u, "#")
	host, path := dom.HostAndPath(u)
	path, query, _ := strings.Cut(path, "?")
	var out numbered
	for p := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(p, "=")
		paged, offset := isPageParam(name)
		v, err := strconv.Atoi(value)
		switch {
		case err == nil && (paged || offset):
			if v > 0 {
				out.n, out.offset = v, offset
			}
		case p != "":
			out.params = append(out.params, p)
		}
	}
	path = strings.TrimRight(path, "/")
	if rest, v := pageSuffix(path); v > 0 {
		path, out.n, out.offset = rest, v, false
	}
	out.place = host + strings.TrimRight(path, "/")
	return out
}

// isPageParam reports whether a parameter has the number of a page, or that of the first
// record of one.
func isPageParam(name string) (paged, offset bool) {
	switch strings.ToLower(name) {
	case "page", "p", "pg", "pi", "pn", "paged", "pageno", "page_no", "pagenumber", "page_number", "pageindex", "currentpage", "seite", "pagina":
		return true, false
	case "start", "startat", "offset", "from", "st":
		return false, true
	}
	return false, false
}

// pageSuffix cuts "/page/2", "/page-2" or "/page2" off a path.
func pageSuffix(path string) (rest string, n int) {
	at := strings.LastIndex(strings.ToLower(path), "/page")
	if at < 0 {
		return path, 0
	}
	digits := strings.TrimLeft(path[at+len("/page"):], "-/")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || len(digits) > 6 {
		return path, 0
	}
	return path[:at], n
}
