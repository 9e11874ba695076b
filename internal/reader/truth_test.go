package reader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// What the text for a model says stands in the object that programs read, and
// the other way round: docs/answers.md has the table. Each situation is read
// once; the text is taken apart, and every fact and every notice in it has to
// come from a member.

// object is an answer as JSON.
type object map[string]any

func objectOf(t *testing.T, v any) object {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// at is a member, or one of a member: "metadata.window.limit". Nil: it is not
// there.
func (o object) at(path string) any {
	var v any = map[string]any(o)
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

func (o object) number(path string) int {
	f, ok := o.at(path).(float64)
	if !ok {
		return -1
	}
	return int(f)
}

func (o object) text(path string) string { s, _ := o.at(path).(string); return s }

func (o object) list(path string) (out []string) {
	l, _ := o.at(path).([]any)
	for _, x := range l {
		out = append(out, fmt.Sprint(x))
	}
	return out
}

var (
	quotedFact  = regexp.MustCompile(`^(title|byline|published|excerpt) ("(?:[^"\\]|\\.)*")(?:; )?`)
	windowFact  = regexp.MustCompile(`^tokens ~(\d+)-(\d+) of ~(\d+)(?:, sections? ([\d, -]+) of (\d+))?$`)
	passageFact = regexp.MustCompile(`^tokens ~(\d+) of ~(\d+) in (\d+) passages?$`)
	sinceFact   = regexp.MustCompile(`^(?:(\d+) added, (\d+) removed, (\d+) changed|not modified) since (\w+)$`)
	goesOnLine  = regexp.MustCompile(`^The content goes on: these are characters (\d+) to (\d+) of (\d+)\.$`)
	cutLine     = regexp.MustCompile(`^<error>Content truncated\. The output has been limited to (\d+) characters</error>$`)
	nextLine    = regexp.MustCompile(`^Call web_fetch again with start_index=(\d+) to read on\.$`)
)

// compareFacts compares the line of facts with the object.
func compareFacts(t *testing.T, line string, o object) {
	t.Helper()
	for m := quotedFact.FindStringSubmatch(line); m != nil; m = quotedFact.FindStringSubmatch(line) {
		text, err := strconv.Unquote(m[2])
		if err != nil || pageText(o.text(m[1]), mostFact) != text {
			t.Errorf("%s %q, the object has %q", m[1], text, o.text(m[1]))
		}
		line = line[len(m[0]):]
	}
	want := func(fact string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("the text says %q, the object does not: %v", fact, o)
		}
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	for fact := range strings.SplitSeq(line, "; ") {
		w, p, s := windowFact.FindStringSubmatch(fact), passageFact.FindStringSubmatch(fact), sinceFact.FindStringSubmatch(fact)
		verdict, isVerdict := strings.CutPrefix(fact, "verdict ")
		by, isBy := strings.CutPrefix(fact, "answered by ")
		next, isNext := strings.CutPrefix(fact, "next start_index=")
		as, isAs := strings.CutPrefix(fact, "read as ")
		switch {
		case isVerdict:
			want(fact, o.text("verdict") == verdict)
		case w != nil:
			want(fact, o.number("metadata.window.first_token") == number(w[1]) && o.number("metadata.window.last_token") == number(w[2]) && o.number("metadata.tokens") == number(w[3]))
			var places []int
			for _, s := range o.list("metadata.window.sections") {
				places = append(places, number(s))
			}
			want(fact, ranges(places) == w[4] && (w[5] == "" || o.number("metadata.window.section_count") == number(w[5])))
		case p != nil:
			want(fact, o.number("metadata.window.last_token") == number(p[1]) && o.number("metadata.tokens") == number(p[2]) && o.number("metadata.window.passages") == number(p[3]))
		case s != nil:
			want(fact, o.text("metadata.since.version") == s[4] && o.number("metadata.since.added") == number(s[1]) &&
				o.number("metadata.since.removed") == number(s[2]) && o.number("metadata.since.changed") == number(s[3]))
		case fact == "read for a prompt":
			want(fact, o.text("answered_by") != "" && o.text("answered_by") != result.AnsweredByPassages && o.text("answered_by") != result.AnsweredByPage)
		case isBy:
			want(fact, o.text("answered_by") == by)
		case isNext:
			want(fact, o.number("next_start_index") == number(next))
		case fact == "cached" || fact == "rendered" || fact == "unfiltered":
			want(fact, o.at("metadata."+fact) == true)
		case isAs:
			form, host, _ := strings.Cut(as, " from ")
			want(fact, o.text("metadata.read_as") == form && strings.Contains(o.text("metadata.read_from"), "://"+host+"/"))
		default:
			t.Errorf("nobody knows which member %q comes from", fact)
		}
	}
	for fact, path := range map[string]string{"cached": "metadata.cached", "rendered": "metadata.rendered", "unfiltered": "metadata.unfiltered"} {
		if o.at(path) == true && !strings.Contains(line, fact) {
			t.Errorf("the object says %s, the text does not", fact)
		}
	}
}

// compareText compares the text of one answer with its object.
func compareText(t *testing.T, text string, o object) {
	t.Helper()
	if to := o.text("redirect_url"); to != "" {
		if text != "The URL redirected to: "+to+"\nPlease make a new web_fetch request with this URL." {
			t.Errorf("%s", text)
		}
		return
	}
	lines := strings.SplitN(text, "\n", 3)
	if lines[0] != "Contents of "+o.text("final_url")+":" {
		t.Errorf("%q", lines[0])
	}
	compareFacts(t, lines[1], o)
	content, after := unfence(t, text)
	body := o.text("markdown") + o.text("content")
	if i := strings.LastIndex(body, "\n\n"); o.at("truncated") == true && i >= 0 && (cutLine.MatchString(body[i+2:]) || goesOnLine.MatchString(body[i+2:])) {
		body = body[:i]
	}
	if content != body && !strings.HasPrefix(content, "{\n") {
		t.Errorf("the text has\n%s\nthe object has\n%s", content, body)
	}
	compareNotices(t, after, o)
}

// unfence is the content of a text, and what stands behind it.
func unfence(t *testing.T, text string) (content, after string) {
	t.Helper()
	_, rest, _ := strings.Cut(text, "<untrusted text ")
	boundary, rest, _ := strings.Cut(rest, ">\n")
	content, after, ok := strings.Cut(rest, "\n</"+boundary+">")
	if !ok {
		t.Fatalf("no fence in\n%s", text)
	}
	return content, after
}

func compareNotices(t *testing.T, after string, o object) {
	t.Helper()
	var said []string
	for line := range strings.SplitSeq(after, "\n") {
		cut, next, goesOn := cutLine.FindStringSubmatch(line), nextLine.FindStringSubmatch(line), goesOnLine.FindStringSubmatch(line)
		switch {
		case line == "":
		case cut != nil:
			if o.at("truncated") != true || strconv.Itoa(o.number("metadata.window.limit")) != cut[1] {
				t.Errorf("the text says %q, the object does not", line)
			}
		case goesOn != nil:
			for i, member := range []string{"start", "end", "length"} {
				n := o.number("metadata.window." + member)
				if member == "start" {
					n++
				}
				if strconv.Itoa(n) != goesOn[i+1] {
					t.Errorf("the text says %q, the object has %s %d", line, member, n)
				}
			}
		case next != nil:
			if strconv.Itoa(o.number("next_start_index")) != next[1] {
				t.Errorf("the text says %q, the object does not", line)
			}
		default:
			said = append(said, line)
		}
	}
	if have := o.list("notices"); !slices.Equal(said, have) {
		t.Errorf("the text says %q, the object %q", said, have)
	}
}

const truthPage = `<html lang="en"><head><title>The "quay"</title><meta name="author" content="Ada Lovelace; and others"><meta name="description" content="When the boats leave; and from where.">
<meta property="article:published_time" content="2024-05-06T07:08:09Z"></head><body><main><article><h1>The "quay"</h1><p>Boats leave at six and at nine on all days of the week, and at noon in the summer.</p>
<h2 id="winter">Winter</h2><p>There is one boat a day from November to March, and no boat at all on holidays, which the harbour master names.</p>
<h2 id="fares">Fares</h2><p>A child pays six crowns and an adult pays twelve of them, to be paid on board in coins and in nothing else.</p></article></main></body></html>`

// listPage says that it shows a part of a list.
var listPage = `<html lang="en"><head><title>Lanterns</title></head><body><main><h1>Lanterns</h1><p>1-12 of 310 products</p><ul class="product-list">` +
	strings.Repeat(`<li class="product-card"><h3><a href="/p">Brass lantern</a></h3><p>A lantern with a wick that burns for nine hours in the wind.</p><span class="price">$20.50</span></li>`, 12) +
	`</ul><nav class="pagination"><a href="/list?page=2">2</a><a href="/list?page=3">3</a></nav></main></body></html>`

// truthReader reads truthPage and what belongs to the situations.
func truthReader(m tool.Model, versions versions) *Reader {
	return New(Options{Model: m, ModelName: "double/one", Versions: versions,
		Render: func(context.Context, RenderRequest) (*Rendered, error) {
			return &Rendered{URL: weburl.URL{}, Status: 200, HTML: []byte(truthPage)}, errors.New("set below")
		},
		Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
			res := &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(truthPage), Header: http.Header{}, FetchedAt: time.Unix(1, 0)}
			switch q.URL.Path() {
			case "/cached":
				res.Cached = true
			case "/part":
				res.Truncated, res.TruncatedWhy = true, "only its first 900 bytes were read"
			case "/deep", "/deep-part":
				res.Body = []byte(strings.Replace(truthPage, "</article>", "</article><table>"+strings.Repeat("<tr><td>a", 70_000), 1))
				res.Truncated, res.TruncatedWhy = q.URL.Path() == "/deep-part", "only its first 5 MB were read"
			case "/moved":
				res.Redirect, res.Body = q.URL.WithScheme("http"), nil
			case "/links":
				res.Body = []byte(testPage)
			case "/list":
				res.Body = []byte(listPage)
			case "/wall":
				res.Body = []byte(strings.Replace(truthPage, "</article>", "</article><p>Subscribe to continue reading.</p>", 1))
			case "/gone":
				return nil, &fetch.Error{Code: fetch.HTTPError, Status: 404}
			}
			return res, nil
		}})
}

func TestTruth(t *testing.T) {
	answering := &scripted{answers: []string{`It says "one boat a day from November to March" and "a thousand boats a day".`}}
	for _, c := range []struct {
		name string
		path string
		q    Request
		m    tool.Model
		says []string // outside of the fence
	}{
		{name: "a whole page", path: "/quay", says: []string{`title "The \"quay\""; byline "Ada Lovelace; and others"; published "2024-05-06`, `excerpt "When the boats leave; and from where."`, "sections 1-3 of 3"}},
		{name: "a window", path: "/quay", q: Request{MaxLength: 50}, says: []string{"limited to 50 characters", "next start_index="}},
		{name: "a window of tokens", path: "/quay", q: Request{MaxTokens: 30, StartIndex: 60}, says: []string{"The content goes on: ", "next start_index="}},
		{name: "beyond the end", path: "/quay", q: Request{StartIndex: 99_999}, says: []string{"start_index 99999 is beyond the end: the content has "}},
		{name: "a query with gaps", path: "/quay", q: Request{Query: "fares child", MaxTokens: 30}, says: []string{"[…] marks what was left out; without query", "passage"}},
		{name: "a query that all of the page answers", path: "/quay", q: Request{Query: "fares"}, says: []string{"in 1 passage"}},
		{name: "a query that nothing matches", path: "/quay", q: Request{Query: "helicopter", MaxTokens: 30}, says: []string{"no passage of this page matches the query"}},
		{name: "a query and start_index", path: "/quay", q: Request{Query: "fares", StartIndex: 7}, says: []string{"start_index 7 was not used"}},
		{name: "a prompt, the configured model", path: "/quay", q: Request{Prompt: "How many?"}, m: answering, says: []string{"answered by model double/one", "Quotation 1 is verified", "1 of 2 quotations"}},
		{name: "a prompt, its answer cut", path: "/quay", q: Request{Prompt: "How many?", MaxLength: 10}, m: answering, says: []string{"limited to 10 characters", "Quotation 1 is verified"}},
		{name: "a prompt, the caller's model", path: "/quay", q: Request{Prompt: "How many?", Model: answering}, says: []string{"answered by client model"}},
		{name: "a prompt, no model", path: "/quay", q: Request{Prompt: "boats in winter", MaxTokens: 30}, says: []string{"answered by passages", "No language model is configured, so the prompt was not answered: these are the passages", "without prompt the page is read"}},
		{name: "a prompt, no model and no word", path: "/quay", q: Request{Prompt: "?"}, says: []string{"answered by page", "this is the beginning of the page."}},
		{name: "cached", path: "/cached", says: []string{"; cached"}},
		{name: "rendered", path: "/quay", q: Request{Render: RenderAlways}, says: []string{"; rendered"}},
		{name: "a redirect that is told", path: "/moved"},
		{name: "a fragment", path: "/quay#fares", says: []string{"This begins where the fragment", "section 3 of 3"}},
		{name: "a section", path: "/quay", q: Request{Sections: []string{"winter", "nowhere"}}, says: []string{"section 2 of 3", `There is no section "nowhere"`}},
		{name: "since last, the first time", path: "/quay", q: Request{Since: last}, says: []string{"No earlier version of this page is stored"}},
		{name: "since a version", path: "/links", q: Request{Since: last}, says: []string{"1 added, 2 removed, 3 changed since "}},
		{name: "must_contain", path: "/quay", q: Request{MustContain: "ONE boat"}},
		{name: "part of a body", path: "/part", says: []string{"verdict partial", "Not all of the page was read: only its first 900 bytes were read."}},
		{name: "too many elements", path: "/deep", says: []string{"\nVerdict partial: ", "Next: mode=raw gives all of it."}},
		{name: "too many elements of a part", path: "/deep-part", says: []string{"\nVerdict partial: ", "Next: mode=raw gives all that was read of it."}},
		{name: "a part of a list", path: "/list", says: []string{"verdict partial", "\nVerdict partial: the page says that it shows 1 to 12 of 310 products. Next: the next page is https://example.com/list?page=2."}},
		{name: "links of a part of a list", path: "/list", q: Request{Mode: Links}, says: []string{"verdict partial", "\nVerdict partial: "}},
		{name: "a paywall", path: "/wall", says: []string{"verdict thin", "\nVerdict thin: the page says that its text goes on for subscribers. Next: look for the same content"}},
		{name: "a value that was clamped", path: "/quay", q: Request{Notices: []string{"timeout_ms=999999 is out of bounds; 120000 was used"}}, says: []string{"120000 was used"}},
		{name: "text", path: "/quay", q: Request{Mode: Text}},
		{name: "markup", path: "/quay", q: Request{Mode: HTML}, says: []string{"unfiltered"}},
		{name: "the body", path: "/quay", q: Request{Mode: Raw, MaxLength: 50}, says: []string{"unfiltered"}},
		{name: "links", path: "/links", q: Request{Mode: Links, MaxLength: 50}, says: []string{"limited to 50 characters"}},
		{name: "an outline", path: "/quay", q: Request{Mode: Outline}},
		{name: "the object as text", path: "/quay", q: Request{Mode: JSON}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := &shelf{}
			r := truthReader(c.m, v)
			r.o.Render = func(_ context.Context, q RenderRequest) (*Rendered, error) {
				u := q.URL
				return &Rendered{URL: u, Status: 200, HTML: []byte(truthPage)}, nil
			}
			c.q.URL = mustURL(t, "https://example.com"+c.path)
			if c.path == "/moved" {
				c.q.URL = mustURL(t, "https://example.com/moved")
			}
			if c.path == "/links" && c.q.Since != "" {
				v.all = []Version{{Version: tool.Version{URL: "https://example.com/links", Hash: "0123456789ab", Text: "# Old\n\nGone.\n\nGone too, and more of it.\n"}}}
				c.says = []string{" since 0123456789ab"}
			}
			a, err := r.Read(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			text := a.ForModel("web_fetch", 0)
			o := objectOf(t, a)
			compareText(t, text, o)
			outside := text
			if a.RedirectURL == "" {
				content, _ := unfence(t, text)
				outside = strings.Replace(text, content, "", 1)
			}
			for _, s := range c.says {
				if !strings.Contains(outside, s) {
					t.Errorf("%q is missing in\n%s", s, text)
				}
			}
			// What a program reads does not depend on the text, and is the same
			// when a smaller window was needed for a client.
			if within := a.ForModel("web_fetch", 1500); a.RedirectURL == "" && c.q.Mode != JSON {
				compareText(t, within, objectOf(t, a))
			}
		})
	}
}

// Several addresses have notices and an answer of their own beside those of each.
func TestTruthOfSeveral(t *testing.T) {
	answering := &scripted{answers: []string{`It says "one boat a day from November to March".`}}
	urls := []string{"https://example.com/quay", "https://example.com/gone", "https://example.com/part"}
	notice := []string{"timeout_ms=999999 is out of bounds; 120000 was used"}
	for name, c := range map[string]struct {
		q  Request
		m  tool.Model
		by string
	}{
		"no prompt": {Request{Notices: notice}, nil, ""},
		"a model":   {Request{Prompt: "How many?", Notices: notice}, answering, "model double/one"},
		"no model":  {Request{Prompt: "boats in winter", Notices: notice}, nil, result.AnsweredByPassages},
	} {
		t.Run(name, func(t *testing.T) {
			all := truthReader(c.m, nil).ReadAll(t.Context(), urls, c.q)
			for range 2 { // a second window does not say it twice
				text := all.ForModel("web_fetch", 2500)
				o := objectOf(t, all)
				if o.text("answered_by") != c.by || (c.by != "") != strings.Contains(strings.ToLower(text), "answered by "+c.by) {
					t.Errorf("answered by %q:\n%s", o.text("answered_by"), text)
				}
				notices := o.list("notices")
				if len(notices) == 0 || c.by == result.AnsweredByPassages && !strings.Contains(strings.Join(notices, " "), "the prompt was not answered") {
					t.Errorf("notices %q", notices)
				}
				for _, n := range notices {
					if strings.Count(text, "\n"+n) != 1 {
						t.Errorf("%q stands %d times in\n%s", n, strings.Count(text, "\n"+n), text)
					}
				}
				results := o.at("results").([]any)
				for i, x := range results {
					r := object(x.(map[string]any))
					for _, n := range r.list("notices") {
						if !strings.Contains(text, n) {
							t.Errorf("result %d has %q, the text has not", i, n)
						}
					}
				}
				if p := object(results[2].(map[string]any)); !strings.Contains(strings.Join(p.list("notices"), " "), "900 bytes") {
					t.Errorf("%v", p)
				}
			}
		})
	}
}
