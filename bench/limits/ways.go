package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop"
)

// ways are the calls of the library that are measured, by name. The server of the document
// is in the same process; what it takes is the copying of the document.
var ways = map[string]*way{
	"markdown": {}, "late": {set: func(q *spyhop.FetchRequest) { q.Timeout = deadline }},
	"text":         {set: mode(spyhop.ModeText)},
	"html":         {set: mode(spyhop.ModeHTML)},
	"raw":          {set: mode(spyhop.ModeRaw)},
	"links":        {set: mode(spyhop.ModeLinks)},
	"outline":      {set: mode(spyhop.ModeOutline)},
	"data":         {set: mode(spyhop.ModeData)},
	"all-text":     {set: func(q *spyhop.FetchRequest) { q.MaxLength = spyhop.NoLimit }},
	"whole":        {set: func(q *spyhop.FetchRequest) { q.Whole = true }},
	"query":        {set: func(q *spyhop.FetchRequest) { q.Query = longQuery() }},
	"must_contain": {set: func(q *spyhop.FetchRequest) { q.MustContain = "aaaaaaaaaaaaaaaab" }},
	"selector":     {set: func(q *spyhop.FetchRequest) { q.Selector = costlySelector }},
	"schema":       {set: func(q *spyhop.FetchRequest) { q.Schema = fields(45) }},
	"since":        {set: func(q *spyhop.FetchRequest) { q.Since, q.Fresh = "last", true }, before: true},
	"explain":      {explain: true},
}

// way is a call of the library.
type way struct {
	set     func(*spyhop.FetchRequest)
	before  bool // an earlier version of the page is stored, which shares nothing with it
	explain bool

	client *spyhop.Client
	server *httptest.Server
	body   []byte
	older  bool
}

// olderSize is that of an earlier version of a page, in bytes.
const olderSize = 4 << 20

// olderPage answers with a document that shares nothing with any other.
func olderPage(mediaType string) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", mediaType+"; charset=utf-8")
		for i := range olderSize / 24 {
			fmt.Fprintf(out, "<p>an older text %d\n\n", i)
		}
	}
}

func wayNames() []string { return slices.Sorted(maps.Keys(ways)) }

func mode(m spyhop.Mode) func(*spyhop.FetchRequest) {
	return func(q *spyhop.FetchRequest) { q.Mode = m }
}

// fields is a schema of so many lists, each of all elements of some kinds.
func fields(n int) json.RawMessage {
	properties := map[string]any{}
	for i := range n {
		properties[fmt.Sprint("f", i)] = map[string]any{"type": "array", "items": map[string]any{"type": "string", "x-selector": fmt.Sprintf("p:nth-child(%dn+1), div > *:not(.a%[1]d), td, li", i+1)}}
	}
	raw, _ := json.Marshal(map[string]any{"type": "object", "properties": properties})
	return raw
}

// open starts what the call needs, and reads a small page.
func (w *way) open(mediaType string) (done func()) {
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		panic(err)
	}
	w.body = []byte("<p>small")
	w.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if w.older {
			olderPage(mediaType)(out, r)
			return
		}
		documentOf(mediaType, w.body)(out, r)
	}))
	w.client, err = spyhop.New(spyhop.Config{HTTP: spyhop.HTTPAllow, AllowPrivate: []string{"127.0.0.1"}, DataDir: dir, HostRate: spyhop.NoLimit})
	if err != nil {
		panic(err)
	}
	_, _ = w.client.Fetch(context.Background(), spyhop.FetchRequest{URL: w.server.URL + "/small", Render: spyhop.RenderNever})
	if w.before {
		w.older = true
		_, _ = w.client.Fetch(context.Background(), spyhop.FetchRequest{URL: w.server.URL + "/", Render: spyhop.RenderNever})
		w.older = false
	}
	return func() {
		w.server.Close()
		w.client.Close()
		os.RemoveAll(dir)
	}
}

// read makes the call, and recalls the page after it.
func (w *way) read(body []byte, _, name string) {
	ctx := context.Background()
	w.body = body
	q := spyhop.FetchRequest{URL: w.server.URL + "/", Render: spyhop.RenderNever, Timeout: time.Minute}
	if w.set != nil {
		w.set(&q)
	}
	if w.explain {
		_, _ = w.client.Explain(ctx, q.URL)
	} else if _, err := w.client.Fetch(ctx, q); err != nil && os.Getenv("LIMITS_ERRORS") != "" {
		fmt.Fprintln(os.Stderr, err)
	}
	if name != "late" {
		_, _ = w.client.Recall(ctx, spyhop.RecallRequest{Query: "quick brown fox a"})
	}
}
