package search

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// duckDuckGo parses the result page for browsers without scripts; when that
// fails, the "lite" page. The page for bots has status 200 or 202 too.
func duckDuckGo() definition {
	lite := duckPage("https://lite.duckduckgo.com/lite/")
	d := duckPage("https://html.duckduckgo.com/html/")
	d.lite = &lite
	return d
}

func duckPage(page string) definition {
	return definition{
		maxText: 499, takes: sites | ranges | dates | country | language,
		request: func(a account, t *Terms, _ int) request {
			f := url.Values{"q": {t.withOperators()}, "b": {""}, "kl": {"wt-wt"}}
			if t.Country != "" {
				f.Set("kl", strings.ToLower(t.Country)+"-"+cmp.Or(t.Language, "en"))
			}
			if t.TimeRange != "" {
				f.Set("df", t.TimeRange[:1])
			} else if t.dated() {
				from, to := t.span(a.now)
				f.Set("df", from.Format(time.DateOnly)+".."+to.Format(time.DateOnly))
			}
			return request{url: page, form: f, header: []string{"Accept", "text/html", "Referer", page,
				"Sec-Fetch-Dest", "document", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "same-origin", "Sec-Fetch-User", "?1"}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) { return readDuck(r) },
		refuse: func(r *response) *Error {
			if r.status == 403 || parseDuck(r.body).challenge {
				return problem(codeChallenge, "")
			}
			return nil
		},
	}
}

// readDuck parses the results of either page. A page without results counts as
// empty only when it says so; otherwise it is a challenge or unknown.
func readDuck(r *response) ([]Result, error) {
	p := parseDuck(r.body)
	switch {
	case len(p.out) > 0:
		return p.out, nil
	case p.challenge, r.status == 202:
		return nil, problem(codeChallenge, "")
	case p.nothing:
		return nil, nil
	}
	return nil, errShape
}

// duckFound is what a page has.
type duckFound struct {
	out       []Result
	challenge bool // it is the page for bots
	nothing   bool // it says that there are no results
}

// parseDuck reads a page in the order of its elements: the relevant parts are not nested.
func parseDuck(body []byte) (p duckFound) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return p
	}
	ad := false // the result that is read
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			switch strings.ToLower(strings.Join(strings.Fields(n.Data), " ")) {
			case "no results.", "no results found.", "no more results.":
				p.nothing = true
			}
		}
		if n.Type != html.ElementNode {
			continue
		}
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		has := func(classes ...string) bool {
			return slices.ContainsFunc(strings.Fields(attr["class"]), func(c string) bool { return slices.Contains(classes, c) })
		}
		switch {
		case attr["id"] == "challenge-form", has("anomaly-modal__title", "anomaly-modal"), strings.Contains(attr["action"]+attr["src"], "/anomaly.js"):
			p.challenge = true
		case has("no-results", "no-results-message"):
			p.nothing = true
		case n.Data == "div" && has("result"):
			ad = has("result--ad")
		case n.Data == "tr" && (has("result-sponsored") || attr["class"] == ""): // rows of the lite page
			ad = has("result-sponsored")
		case ad:
		case n.Data == "a" && has("result__a", "result-link"):
			p.out = append(p.out, Result{URL: attr["href"], Title: textIn(n)})
		case len(p.out) > 0 && p.out[len(p.out)-1].Snippet == "" && has("result__snippet", "result-snippet"):
			p.out[len(p.out)-1].Snippet = textIn(n)
		}
	}
	return p
}

// textIn is the text of an element.
func textIn(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
