package toolset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// site is a fetch that answers from a map by path; what begins with "->" is a
// redirect to another host.
func site(t *testing.T, pages map[string]string) *reader.Reader {
	return reader.New(reader.Options{Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
		body, ok := pages[q.URL.Path()]
		if !ok {
			return nil, &fetch.Error{Code: fetch.HTTPError, Status: 404}
		}
		res := &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(body),
			DecodedBytes: int64(len(body)), Header: http.Header{}, FetchedAt: time.Unix(0, 0)}
		if to, ok := strings.CutPrefix(body, "->"); ok {
			u, err := weburl.Parse(to)
			if err != nil {
				t.Error(err)
			}
			res.Redirect, res.Body = u, nil
		} else if !strings.HasPrefix(body, "<") {
			res.MediaType = "text/plain"
		}
		return res, nil
	}})
}

// guide is a page of four sections.
const guide = `<!DOCTYPE html><html lang="en"><head><title>Guide to the quay</title></head><body>
<nav><a href="/news">News</a> <a href="/">Start</a> <a href="/">Home</a> <a href="https://other.example.net/">Partner</a></nav>
<main><h1>Guide to the quay</h1><p>The quay is open all year, and the ferry leaves it at dawn for the islands in the north.</p>
<h2 id="tickets">Tickets</h2><p>Tickets are sold at the kiosk, which takes coins and cards, from an hour before each boat.</p>
<table class="prices"><tr><th>Who</th><th>Price</th></tr><tr><td>Adult</td><td>12</td></tr><tr><td>Child</td><td>6</td></tr></table>
<h2>Times</h2><p>Boats leave at six and at nine, and in the summer at noon as well, unless the “fog signal” is given.</p>
<h3>Winter</h3><p>From November to March there is one boat a day, which leaves when the post has come on board.</p></main></body></html>`

func pages() map[string]string {
	long := "<!DOCTYPE html><html><head><title>" + strings.Repeat("Long title ", 30) + "</title></head><body><main><h1>Long</h1>"
	cjk := "<!DOCTYPE html><html><head><title>港</title></head><body><main><h1>港</h1>"
	for i := range 400 {
		long += fmt.Sprintf("<p>Paragraph %d says \"that\" the ferry was late, and nobody knew when it would come.</p>", i)
		cjk += fmt.Sprintf("<p>第%d段：渡船来晚了，没有人知道它什么时候会到港口，大家都在等。</p>", i)
	}
	return map[string]string{"/guide": guide, "/long": long + "</main></body></html>", "/cjk": cjk + "</main></body></html>",
		"/moved": "->https://new.example.org/guide", "/note": "A short note.", "/empty": "<p>no links at all here</p>"}
}

// What SPEC says of web_fetch, sentence by sentence: the arguments, and what
// the text for a model has to hold and must not.
func TestWebFetch(t *testing.T) {
	r := site(t, pages())
	for _, c := range []struct {
		name, args string
		want, not  []string
	}{
		{"the page", `{"url":"https://example.com/guide"}`,
			[]string{"Contents of https://example.com/guide:\ntitle \"Guide to the quay\"; verdict complete; tokens ~1-", ", sections 1-4 of 4\n\n<untrusted text ", "# Guide to the quay"},
			[]string{"News", "read on"}},
		{"no scheme, tracking", `{"url":"example.com/guide?utm_source=x"}`, []string{"Contents of https://example.com/guide:"}, nil},
		{"lenient names", `{"target":"https://example.com/guide","extractMode":"readability","maxLength":"120","offset":0}`,
			[]string{"limited to 120 characters</error>\nCall web_fetch again with start_index=", ", section 1 of 4"}, []string{"Tickets"}},
		{"format", `{"url":"https://example.com/guide","format":"text"}`, []string{"Who\tPrice"}, []string{"| Who", "# "}},
		{"windows", `{"url":"https://example.com/guide","start_index":100,"max_tokens":40}`,
			[]string{"Call web_fetch again with start_index=", "The content goes on: these are characters 101 to 260 of 492."}, []string{"<error>"}},
		{"beyond the end", `{"url":"https://example.com/guide","start_index":100000}`,
			[]string{"start_index 100000 is beyond the end"}, []string{"read on"}},

		{"outline", `{"url":"https://example.com/guide","mode":"outline"}`,
			[]string{"- Guide to the quay (guide-to-the-quay, ~", "\n  - Tickets (tickets, ~", "\n    - Winter (winter, ~"}, []string{"kiosk"}},
		{"section", `{"url":"https://example.com/guide","section":"tickets"}`,
			[]string{"## Tickets", "| Adult | 12 |", ", section 2 of 4"}, []string{"all year", "Times"}},
		{"sections in page order", `{"url":"https://example.com/guide","section":["winter","tickets","winter"]}`,
			[]string{"sections 2, 4 of 4", "## Tickets", "### Winter"}, []string{"Boats leave"}},
		{"a section and one that is not there", `{"url":"https://example.com/guide","section":["tickets","prices"]}`,
			[]string{"## Tickets", `There is no section "prices"; mode=outline lists them.`}, nil},
		{"section as text", `{"url":"https://example.com/guide","section":"times","mode":"text"}`, []string{"Boats leave", "one boat a day"}, []string{"kiosk", "##"}},
		{"fragment", `{"url":"https://example.com/guide#tickets"}`,
			[]string{"\n## Tickets", "sections 2-4 of 4", "This begins where the fragment of the URL leads;"}, []string{"all year"}},
		{"text fragment", `{"url":"https://example.com/guide#:~:text=and-,boats%20leave%20at%20SIX,noon"}`,
			[]string{">\nBoats leave at six", ", sections 3-4 of 4"}, []string{"kiosk"}},
		{"text fragment of nothing", `{"url":"https://example.com/guide#tickets:~:text=helicopter"}`, []string{">\n## Tickets"}, []string{"all year"}},
		{"fragment of nothing", `{"url":"https://example.com/guide#top"}`, []string{"all year"}, []string{"This begins"}},
		{"fragment and start_index", `{"url":"https://example.com/guide#winter","start_index":30}`, []string{"all year"}, []string{"This begins"}},
		{"selector", `{"url":"https://example.com/guide","selector":"table.prices"}`, []string{"| Adult | 12 |"}, []string{"kiosk", "sections"}},
		{"selector in chrome", `{"url":"https://example.com/guide","selector":"nav"}`, []string{"News"}, []string{"kiosk"}},

		{"query", `{"url":"https://example.com/guide","query":"price for a child","max_tokens":60}`,
			[]string{" in 2 passages\n", "| Who | Price |\n| --- | --- |\n", "| Child | 6 |", "[…] marks what was left out"}, []string{"Boats leave", "read on"}},
		{"query of a page that fits", `{"url":"https://example.com/guide","query":"price"}`, []string{"in 1 passage\n", "Boats leave"}, []string{"[…]", "News"}},
		{"query within a section", `{"url":"https://example.com/guide","query":"boat","section":"winter","max_tokens":60}`, []string{"one boat a day"}, []string{"Boats leave"}},
		{"query of what is not there", `{"url":"https://example.com/guide","query":"helicopter"}`,
			[]string{"- Guide to the quay (guide-to-the-quay, ~124 tokens)", "Winter (winter", "no passage of this page matches the query"}, []string{"Boats leave"}},
		{"query of which one word is there", `{"url":"https://example.com/guide","query":"boat repair insurance company address"}`,
			[]string{"- Guide to the quay (guide-to-the-quay", "no passage of this page matches the query"}, []string{"Boats leave"}},
		{"must_contain", `{"url":"https://example.com/guide","must_contain":"TAKES  coins and"}`,
			[]string{`Yes: "TAKES coins and" is on the page once.`, "section tickets, start_index ", ": Tickets are sold at the kiosk, which takes coins and cards, from an hour before each boat.\n"}, []string{"# "}},
		{"must_contain folds", `{"url":"https://example.com/guide","must_contain":"\"fog signal\" is"}`, []string{"Yes: ", "section times"}, nil},
		{"must_contain, no", `{"url":"https://example.com/guide","must_contain":"helicopter"}`, []string{`No: "helicopter" is not on the page.`}, []string{"ferry"}},
		{"must_contain within a section", `{"url":"https://example.com/guide","section":"winter","must_contain":"kiosk"}`, []string{"No: "}, nil},

		{"links", `{"url":"https://example.com/guide","mode":"links"}`,
			[]string{"All 2 links found on https://example.com/guide\n\n- Start: https://example.com/\n- News: https://example.com/news"}, []string{"Partner"}},
		{"links in a window", `{"url":"https://example.com/guide","mode":"links","max_length":40}`,
			[]string{"- Start: https://example.com/\n</", "limited to 40 characters"}, []string{"News"}},
		{"links, read on", `{"url":"https://example.com/guide","mode":"links","start_index":74}`, []string{"- News: https://example.com/news"}, []string{"All 2", "Start:"}},
		{"no links", `{"url":"https://example.com/empty","mode":"links"}`,
			[]string{"No links found on https://example.com/empty - it may require JavaScript or authentication."}, nil},
		{"raw", `{"url":"https://example.com/guide","mode":"raw"}`, []string{"; unfiltered\n", "<nav>"}, nil},
		{"html", `{"url":"https://example.com/guide","mode":"html"}`, []string{"; unfiltered\n", "<h2>Tickets</h2>"}, []string{"<nav>"}},
		{"json", `{"url":"https://example.com/guide","mode":"json"}`, []string{"\n{\n  \"success\": true,", `"markdown": "# Guide to the quay\n\n`}, nil},
		{"redirect", `{"url":"https://example.com/moved"}`,
			[]string{"The URL redirected to: https://new.example.org/guide\nPlease make a new web_fetch request with this URL."}, []string{"Contents"}},

		{"several", `{"urls":["https://example.com/note","https://example.com/gone","https://example.com/guide","https://exa mple/"]}`,
			[]string{"Contents of https://example.com/note:", "A short note.", "\n\nFailed to fetch https://example.com/gone: HTTP 404 Not Found", "Contents of https://example.com/guide:", "Failed to fetch https://exa%20mple/: "}, nil},
		{"a list as url", `{"url":["https://example.com/note","https://example.com/guide"]}`, []string{"A short note.", "Guide to the quay"}, nil},
		{"several share a budget", `{"urls":["https://example.com/long","https://example.com/note"],"max_length":1000}`,
			[]string{"A short note.", "Call web_fetch again with url=https://example.com/long and start_index=9"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := call(t, r, "web_fetch", c.args)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range c.want {
				if !strings.Contains(res.Text, w) {
					t.Errorf("%q is missing in\n%s", w, res.Text)
				}
			}
			for _, w := range c.not {
				if strings.Contains(res.Text, w) {
					t.Errorf("%q is in\n%s", w, res.Text)
				}
			}
		})
	}
}

func TestWebFetchRefuses(t *testing.T) {
	r := site(t, pages())
	for _, c := range []struct{ args, message, hint string }{
		{`{}`, `argument "url" is missing`, "url takes an address"},
		{`{"urls":["` + strings.Repeat(`x.org","`, 12) + `y.org"]}`, "13 addresses are too many", "at most 12"},
		{`{"url":"x.org","sections":"a"}`, "unknown", ""},
		{`{"url":"https://example.com/guide","section":"ticket"}`, `section "ticket" is not on the page`, `did you mean "tickets"?`},
		{`{"url":"https://example.com/guide","section":"elsewhere"}`, "not on the page", "the sections are \"guide-to-the-quay, tickets, times, winter\""},
		{`{"url":"https://example.com/note","section":"a"}`, "not on the page", "no headings"},
		{`{"url":"https://example.com/guide","selector":"p["}`, `selector "p["`, "CSS selector"},
		{`{"url":"https://example.com/guide","selector":"aside"}`, "fits nothing", "leave selector out"},
		{`{"url":"https://example.com/note","selector":"p"}`, "fits nothing", "leave selector out"},
		{`{"url":"https://example.com/guide","mode":"raw","section":"a"}`, "section does not go with mode=raw", "leave one"},
		{`{"url":"https://example.com/guide","must_contain":"` + strings.Repeat("word ", 500) + `"}`, "must_contain has 2500 bytes", "at most 2000"},
		{`{"url":"https://example.com/guide","query":"the of ?"}`, "no word to look for", "name what"},
		{`{"url":"https://example.com/guide","query":"ferry","mode":"outline"}`, "query does not go with mode=outline", "leave one"},
		{`{"url":"https://example.com/guide","must_contain":" \u00ad "}`, "must_contain", "words"},
	} {
		_, err := call(t, r, "web_fetch", c.args)
		var e *tool.Error
		if !errors.As(err, &e) || e.Type != tool.InvalidInput && e.Type != tool.NoContent || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %#v", c.args, err)
		}
	}
}

// Over MCP the whole answer is shorter than 10,000 bytes, whatever the page
// has: characters of three bytes, a long title, escapes in JSON, several
// addresses.
func TestWebFetchFitsTheClient(t *testing.T) {
	wordy := "<head><title>" + strings.Repeat("港", 300) + "</title><meta name=author content=\"" + strings.Repeat("渡", 300) + "\"><meta name=description content=\"" + strings.Repeat("船", 300) + "\">"
	wordyPages := pages()
	wordyPages["/wordy"] = strings.Replace(wordyPages["/cjk"], "<head><title>港</title>", wordy, 1)
	c := tool.NewCatalog()
	if err := Register(c, Options{Reader: site(t, wordyPages)}); err != nil {
		t.Fatal(err)
	}
	many := strings.Repeat(`"https://example.com/wordy?`+strings.Repeat("a", 400)+`",`, 11) + `"https://example.com/gone?` + strings.Repeat("a", 3000) + `"`
	part := regexp.MustCompile(`(?s)<untrusted text (\d+)>\n(.*)\n</\d+>`)
	for _, args := range []string{
		`{"url":"https://example.com/long"}`,
		`{"url":"https://example.com/long?q=` + strings.Repeat("a", 2000) + `"}`,
		`{"url":"https://example.com/cjk"}`,
		`{"url":"https://example.com/long","mode":"json"}`,
		`{"url":"https://example.com/cjk","mode":"text"}`,
		`{"url":"https://example.com/long","query":"ferry late","max_length":9000}`,
		`{"urls":["https://example.com/cjk","https://example.com/long","https://example.com/guide"]}`,
		`{"url":"https://example.com/wordy"}`,
		`{"urls":[` + many + `]}`,
	} {
		res, err := c.Call(context.Background(), "web_fetch", json.RawMessage(args), tool.Options{AnswerChars: 9500})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(res.Text); n >= 10_000 || n < 8_500 {
			t.Errorf("%.80s: %d bytes", args, n)
		}
		if m := part.FindStringSubmatch(res.Text); m == nil || strings.Contains(m[2], m[1]) && !strings.Contains(args, "urls") {
			t.Errorf("%.80s: no fence", args)
		}
	}
	res, err := c.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"https://example.com/long","max_length":30000}`), tool.Options{AnswerChars: 9500})
	if err != nil || len(res.Text) < 30_000 {
		t.Errorf("a window that was asked for is not given: %d bytes, %v", len(res.Text), err)
	}
	// A query that sets no length gets 1,500 tokens.
	for args, want := range map[string]int{`"query":"ferry late"`: 6000, `"query":"ferry late","max_length":8000`: 8000, `"query":"ferry late","max_tokens":1000`: 4000} {
		res, err := c.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"https://example.com/long",`+args+`}`), tool.Options{AnswerChars: 9500})
		if m := part.FindStringSubmatch(res.Text); err != nil || m == nil || len(m[2]) > want || len(m[2]) < want*4/5 {
			t.Errorf("%s: %d bytes %v", args, len(res.Text), err)
		}
	}
	// The operator's window is given, and the facts around it have room of their
	// own; where there is little room, facts go before content does.
	res, err = c.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"https://example.com/wordy"}`), tool.Options{AnswerChars: 300, AnswerBytes: 10_000})
	if err != nil || !strings.Contains(res.Text, "The content goes on: these are characters 1 to ") || !strings.Contains(res.Text, "; excerpt \"船") {
		t.Errorf("%v\n%s", err, res.Text)
	}
	res, err = c.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"https://example.com/wordy"}`), tool.Options{AnswerChars: 1200})
	if err != nil || len(res.Text) >= 1700 || len(res.Text) < 1500 || strings.Contains(res.Text, "excerpt") {
		t.Errorf("%v %d\n%s", err, len(res.Text), res.Text)
	}
}

// The windows of a long page, read as the answers say, are the whole.
func TestWebFetchReadsOn(t *testing.T) {
	r := site(t, pages())
	read := func(start int, o tool.Options, more string) *result.Fetch {
		c := tool.NewCatalog()
		if err := Register(c, Options{Reader: r}); err != nil {
			t.Fatal(err)
		}
		res, err := c.Call(context.Background(), "web_fetch", json.RawMessage(fmt.Sprintf(`{"url":"https://example.com/cjk","start_index":%d%s}`, start, more)), o)
		if err != nil {
			t.Fatal(err)
		}
		return res.Data.(*result.Fetch)
	}
	whole := read(0, tool.Options{}, `,"max_length":0`).Markdown
	var got strings.Builder
	for start := 0; ; {
		a := read(start, tool.Options{AnswerChars: 9500}, "")
		text, _, _ := strings.Cut(a.Markdown, "\n\nThe content goes on: ")
		got.WriteString(text)
		if a.NextStartIndex == nil {
			break
		}
		if start = *a.NextStartIndex; start == 0 {
			t.Fatal("the window does not move")
		}
	}
	if got.String() != whole {
		t.Errorf("the windows have %d bytes, the whole has %d", got.Len(), len(whole))
	}
}

// A picture comes as itself beside what is known of it, where it was asked for
// as a page and models can see its kind.
func TestWebFetchPicture(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	large := append(bytes.Clone(file.Bytes()), make([]byte, 4<<20)...)
	for _, tt := range []struct {
		name, mediaType string
		body            []byte
		args            string
		want            int
	}{
		{"png", "image/png", file.Bytes(), ``, 1},
		{"bmp is not seen", "image/bmp", []byte("BM" + strings.Repeat("\x10\x00\x00\x00", 8)), ``, 0},
		{"too large", "image/png", large, ``, 0},
		{"text of a picture", "image/png", file.Bytes(), `,"mode":"text"`, 0},
		{"a page that says it is one", "text/plain", file.Bytes(), ``, 0},
	} {
		r := reader.New(reader.Options{Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: q.URL, Status: 200, MediaType: tt.mediaType, Body: tt.body, Header: http.Header{}}, nil
		}})
		c := tool.NewCatalog()
		if err := Register(c, Options{Reader: r}); err != nil {
			t.Fatal(err)
		}
		res, err := c.Call(t.Context(), "web_fetch", json.RawMessage(`{"url":"https://example.com/quay"`+tt.args+`}`), tool.Options{})
		if tt.want > 0 && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if len(res.Pictures) != tt.want {
			t.Errorf("%s: %d pictures, want %d", tt.name, len(res.Pictures), tt.want)
		}
		for _, p := range res.Pictures {
			if p.MediaType != tt.mediaType || !bytes.Equal(p.Data, tt.body) || !strings.Contains(res.Text, "40 × 20 pixels") {
				t.Errorf("%s: %s, %d bytes, beside %q", tt.name, p.MediaType, len(p.Data), res.Text)
			}
		}
	}
}
