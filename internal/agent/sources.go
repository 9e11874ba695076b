package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// source is a Source with what the model has read of it.
type source struct {
	result.Source
	address string
	shown   []string   // content
	quoted  []string   // that of it which is the page's: not an outline in place of a match
	data    []string   // JSON of mode=data
	texts   []pageText // see evidence
}

// readData is the part of a tool's data that the agent understands: a page, several
// pages, or the results of a search. A program's own tools are understood when
// their data has the same members.
type readData struct {
	Success  *bool             `json:"success"`
	URL      string            `json:"url"`
	FinalURL string            `json:"final_url"`
	Redirect string            `json:"redirect_url"`
	Title    string            `json:"title"`
	Markdown string            `json:"markdown"`
	Content  string            `json:"content"`
	NoMatch  bool              `json:"no_match"`
	Results  []json.RawMessage `json:"results"`
	Error    json.RawMessage   `json:"error"`
	Metadata struct {
		Length  int64  `json:"content_length"`
		Status  int    `json:"status"`
		Cached  bool   `json:"cached"`
		Version string `json:"version"`
	} `json:"metadata"`
}

// learn records the pages in a result, and the facts that a step shows.
func (r *run) learn(d tool.Declaration, args tool.Arguments, res tool.Result, step *result.Step) {
	step.Chars = utf8.RuneCountInString(res.Text)
	var x readData
	if res.Data != nil {
		data, err := json.Marshal(res.Data)
		if err != nil || json.Unmarshal(data, &x) != nil {
			return
		}
	} else if u := args.String("url"); u != "" && d.Level == tool.Read && !strings.HasPrefix(res.Text, "Error: ") {
		x.URL, x.Content = u, res.Text
	}
	data := args.String("mode") == "data"
	if x.Results == nil {
		r.read(&x, data)
		step.Bytes, step.Status, step.Cached, step.RedirectURL = x.Metadata.Length, x.Metadata.Status, x.Metadata.Cached, shorten(x.Redirect)
		return
	}
	n := len(x.Results)
	step.Results = &n
	for _, raw := range x.Results {
		var one readData
		if json.Unmarshal(raw, &one) == nil {
			r.read(&one, data)
			if one.Markdown == "" && one.Content == "" && one.URL != "" {
				r.found = append(r.found, one.URL)
			}
			step.Bytes += one.Metadata.Length
		}
	}
}

// read records a page that the model has read, as data or as text. Without content
// nothing was read, for example for a search result, a redirect or an error.
func (r *run) read(x *readData, data bool) {
	u := x.FinalURL
	if u == "" {
		u = x.URL
	}
	content := x.Markdown
	if content == "" {
		content = x.Content
	}
	at, ok := address(u)
	if !ok || content == "" || x.Redirect != "" || x.Success != nil && !*x.Success || len(x.Error) > 0 && string(x.Error) != "null" {
		return
	}
	i := slices.IndexFunc(r.sources, func(s *source) bool { return s.address == at })
	if i < 0 {
		i = len(r.sources)
		r.sources = append(r.sources, &source{Source: result.Source{N: i + 1, URL: u, Title: shorten(x.Title), Version: x.Metadata.Version}, address: at})
	}
	s := r.sources[i]
	if data {
		s.data = append(s.data, content)
	} else {
		s.shown = append(s.shown, content)
	}
	if !x.NoMatch && !data {
		s.quoted = append(s.quoted, content)
	}
	s.texts = nil
}
