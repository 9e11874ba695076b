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

// open handles a start tag.
func (p *duckParser) open() {
	name, more := p.z.TagName()
	element := string(name)
	var class []string
	var id, href, action string
	for more {
		var key, value []byte
		key, value, more = p.z.TagAttr()
		switch string(key) {
		case "class":
			class = strings.Fields(string(value))
		case "id":
			id = string(value)
		case "href":
			href = string(value)
		case "action", "src":
			action = string(value)
		}
	}
	has := func(c string) bool { return slices.Contains(class, c) }
	switch {
	case id == "challenge-form", has("anomaly-modal__title"), has("anomaly-modal"), strings.Contains(action, "/anomaly.js"):
		p.challenge = true
	case has("no-results"), has("no-results-message"):
		p.nothing = true
	case element == "div" && has("result"):
		p.ad = has("result--ad")
	case element == "tr" && has("result-sponsored"):
		p.ad = true
	case element == "tr" && p.into == nil && len(class) == 0 && !has("result-sponsored"):
		// Rows of the lite page that belong to an advertisement have the class.
		p.ad = false
	}
	switch {
	case p.ad:
	case element == "a" && (has("result__a") || has("result-link")):
		p.out = append(p.out, Result{URL: href})
		p.begin(&p.out[len(p.out)-1].Title, "a")
	case len(p.out) > 0 && (has("result__snippet") || has("result-snippet")):
		p.begin(&p.out[len(p.out)-1].Snippet, element)
	}
}

func (p *duckParser) begin(into *string, ends string) {
	p.text.Reset()
	p.into, p.ends = into, ends
}
