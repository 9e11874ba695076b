package agent

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// source is a Source with the texts of it that the model has read.
type source struct {
	Source
	address string
	shown   []string
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
func (r *run) learn(d tool.Declaration, args tool.Arguments, res tool.Result, step *Step) {
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
	if x.Results == nil {
		r.read(&x)
		step.Bytes, step.Status, step.Cached, step.RedirectURL = x.Metadata.Length, x.Metadata.Status, x.Metadata.Cached, shorten(x.Redirect)
		return
	}
	n := len(x.Results)
	step.Results = &n
	for _, raw := range x.Results {
		var one readData
		if json.Unmarshal(raw, &one) == nil {
			r.read(&one)
			step.Bytes += one.Metadata.Length
		}
	}
}

// read records a page that the model has read. Without content nothing was read,
// for example for a search result, a redirect or an error.
func (r *run) read(x *readData) {
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
	for _, s := range r.sources {
		if s.address == at {
			s.shown = append(s.shown, content)
			return
		}
	}
	r.sources = append(r.sources, &source{Source{N: len(r.sources) + 1, URL: u, Title: shorten(x.Title), Version: x.Metadata.Version}, at, []string{content}})
}

// check marks citations of pages that were not read, and quotations that are not
// in the pages. It returns the marked text, the cited pages and the quotations.
func (r *run) check(text string) (string, []Source, []result.Quote) {
	cited := make([]bool, len(r.sources))
	text = r.cite(text, cited)
	quotes := r.answerQuotes(text)
	text = reader.MarkQuotes(text, quotes)
	out := []Source{}
	for i, yes := range cited {
		if yes {
			out = append(out, r.sources[i].Source)
		}
	}
	return text, out, quotes
}

// cite marks the numbers and addresses in a text that name pages that were not
// read, and sets cited for the others.
func (r *run) cite(text string, cited []bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		if n, length := number(rest); length > 0 {
			b.WriteString(rest[:length])
			i += length
			switch {
			case n >= 1 && n <= len(r.sources):
				cited[n-1] = true
			case strings.HasPrefix(text[i:], "("): // a Markdown link: its address is checked
			default:
				b.WriteString(" (not a page that was read)")
			}
			continue
		}
		if length := urlLength(rest); length > 0 {
			b.WriteString(rest[:length])
			i += length
			known := false
			at, _ := address(rest[:length])
			for j, s := range r.sources {
				if s.address == at {
					cited[j], known = true, true
				}
			}
			if !known {
				if i < len(text) && (text[i] == ')' || text[i] == '>') {
					b.WriteByte(text[i])
					i++
				}
				b.WriteString(" (not read)")
			}
			continue
		}
		_, n := utf8.DecodeRuneInString(rest)
		b.WriteString(rest[:n])
		i += n
	}
	return b.String()
}

// number parses a citation such as "[12]" at the beginning of a text; length is 0
// if none exists.
func number(s string) (n, length int) {
	const most = 5
	if s[0] != '[' {
		return 0, 0
	}
	end := strings.IndexByte(s[:min(len(s), most+2)], ']')
	if end < 2 || strings.Trim(s[1:end], "0123456789") != "" {
		return 0, 0
	}
	n, err := strconv.Atoi(s[1:end])
	if err != nil {
		return 0, 0
	}
	return n, end + 1
}

// urlLength returns the length of the address at the beginning of a text, 0 when
// none exists.
func urlLength(s string) int {
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return 0
	}
	end := strings.IndexAny(s, " \t\n<>\"'`)]")
	if end < 0 {
		end = len(s)
	}
	return len(strings.TrimRight(s[:end], ".,;:!?*_"))
}

// answerQuotes looks up the quotations of a text in the texts that the model has
// read.
func (r *run) answerQuotes(text string) []result.Quote {
	out := []result.Quote{}
	for _, q := range reader.Quotations(text) {
		out = append(out, result.Quote{Text: q})
	}
	if len(out) == 0 {
		return out
	}
	for _, s := range r.sources {
		for _, shown := range s.shown {
			page := reader.NewEvidence(s.URL, s.Version, shown, nil)
			for i, q := range out {
				if q.Verified {
					continue
				}
				out[i] = page.Verify(q.Text)
				// The text can be a part of the page, so offsets in the page are not
				// known.
				out[i].Start, out[i].End = 0, 0
			}
		}
	}
	return out
}
