package search

import (
	"bytes"
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
				f.Set("kl", strings.ToLower(t.Country)+"-"+first(t.Language, "en"))
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
			if r.status == 403 || isChallenge(r.body) {
				return problem(Challenge, "")
			}
			return nil
		},
	}
}

// readDuck parses the results of either page. A page without results counts as
// empty only when it says so; otherwise it is a challenge or unknown.
func readDuck(r *response) ([]Result, error) {
	p := duckParser{z: html.NewTokenizer(bytes.NewReader(r.body))}
	p.run()
	switch {
	case len(p.out) > 0:
		return p.out, nil
	case p.challenge, r.status == 202:
		return nil, problem(Challenge, "")
	case p.nothing:
		return nil, nil
	}
	return nil, errShape
}

// isChallenge reports whether a body is the page for bots.
func isChallenge(body []byte) bool {
	p := duckParser{z: html.NewTokenizer(bytes.NewReader(body))}
	p.run()
	return p.challenge
}

// duckParser collects results from tokens, without building a tree: the relevant
// parts of the pages are not nested.
type duckParser struct {
	z         *html.Tokenizer
	out       []Result
	ad        bool
	challenge bool
	nothing   bool

	into *string // receives the text of the open element; nil: none
	ends string  // the name of that element
	text strings.Builder
}

func (p *duckParser) run() {
	for {
		switch p.z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			p.words(string(p.z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			p.open()
		case html.EndTagToken:
			if name, _ := p.z.TagName(); p.into != nil && string(name) == p.ends {
				*p.into, p.into = p.text.String(), nil
			}
		}
	}
}

func (p *duckParser) words(text string) {
	if p.into != nil {
		p.text.WriteString(text)
		return
	}
	switch strings.ToLower(strings.Join(strings.Fields(text), " ")) {
	case "no results.", "no results found.", "no more results.":
		p.nothing = true
	}
}

// duckTag is a start tag with the attributes that matter.
type duckTag struct {
	element, id, href string
	action            string // the attribute action or src
	class             []string
}

func (t *duckTag) has(class string) bool { return slices.Contains(t.class, class) }

func (p *duckParser) tag() *duckTag {
	name, more := p.z.TagName()
	t := &duckTag{element: string(name)}
	for more {
		var key, value []byte
		key, value, more = p.z.TagAttr()
		switch string(key) {
		case "class":
			t.class = strings.Fields(string(value))
		case "id":
			t.id = string(value)
		case "href":
			t.href = string(value)
		case "action", "src":
			t.action = string(value)
		}
	}
	return t
}

// open handles a start tag.
func (p *duckParser) open() {
	t := p.tag()
	p.classify(t)
	switch {
	case p.ad:
	case t.element == "a" && (t.has("result__a") || t.has("result-link")):
		p.out = append(p.out, Result{URL: t.href})
		p.begin(&p.out[len(p.out)-1].Title, "a")
	case len(p.out) > 0 && (t.has("result__snippet") || t.has("result-snippet")):
		p.begin(&p.out[len(p.out)-1].Snippet, t.element)
	}
}

// classify sets what a tag says about the page and about the result that begins
// with it.
func (p *duckParser) classify(t *duckTag) {
	switch {
	case t.id == "challenge-form", t.has("anomaly-modal__title"), t.has("anomaly-modal"), strings.Contains(t.action, "/anomaly.js"):
		p.challenge = true
	case t.has("no-results"), t.has("no-results-message"):
		p.nothing = true
	case t.element == "div" && t.has("result"):
		p.ad = t.has("result--ad")
	case t.element == "tr" && t.has("result-sponsored"):
		p.ad = true
	case t.element == "tr" && p.into == nil && len(t.class) == 0:
		// Rows of the lite page that belong to an advertisement have the class.
		p.ad = false
	}
}

func (p *duckParser) begin(into *string, ends string) {
	p.text.Reset()
	p.into, p.ends = into, ends
}
