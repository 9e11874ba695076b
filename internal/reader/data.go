package reader

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"github.com/spyhop-dev/spyhop/internal/jq"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// pageData is what mode=data answers.
type pageData struct {
	Facts      *result.Facts        `json:"facts,omitempty"`
	LinkedData []*about.Item        `json:"json_ld,omitempty"`
	Microdata  []*about.Item        `json:"microdata,omitempty"`
	RDFa       []*about.Item        `json:"rdfa,omitempty"`
	Properties map[string]any       `json:"properties,omitempty"` // a string, or several
	Tables     []markdown.TableData `json:"tables,omitempty"`
}

// data makes the content of mode=data.
func (a *Answer) data(ctx context.Context, s *loaded, p *page.Page, q compiled) error {
	out := pageData{Facts: p.Facts, Properties: map[string]any{}}
	d, whole, err := a.dataOf(ctx, s, p, q)
	if err != nil {
		return err
	}
	a.Stated = d
	for _, it := range d.Items {
		switch it.Source {
		case about.LinkedData:
			out.LinkedData = append(out.LinkedData, it)
		case about.Microdata:
			out.Microdata = append(out.Microdata, it)
		case about.RDFa:
			out.RDFa = append(out.RDFa, it)
		}
	}
	for _, m := range d.Properties {
		switch had := out.Properties[m.Name].(type) {
		case nil:
			out.Properties[m.Name] = m.Content
		case string:
			out.Properties[m.Name] = []string{had, m.Content}
		case []string:
			out.Properties[m.Name] = append(had, m.Content)
		}
	}
	out.Tables = markdown.Tables(whole)
	if d.Empty() && len(out.Tables) == 0 {
		a.noted = append(a.noted, "The page has neither data of its own (JSON-LD, microdata, RDFa, Open Graph) nor tables; mode=markdown reads its text.")
	}
	if d.Cut {
		a.noted = append(a.noted, "The page has more data of its own than is read.")
	}
	a.content.whole, err = indented(out)
	return err
}

// jq makes the results of a filter the content: over the document where it is JSON, else
// over the data of the page.
func (a *Answer) jq(ctx context.Context, s *loaded, p *page.Page, q compiled) error {
	document := s.res.Body
	if isPage := !strings.Contains(s.res.MediaType, "json") && (hasMore(p) || !json.Valid(document)); isPage {
		if err := a.data(ctx, s, p, q); err != nil {
			return err
		}
		document = []byte(a.content.whole)
	}
	reply, err := q.filter(ctx, jq.Request(q.JQ, document)...)
	if err != nil {
		return err
	}
	out, cut, err := jq.Reply(reply)
	if err != nil {
		return badRequest("the filter jq failed: "+text.Quoted(err.Error()), "mode=raw shows the JSON that a server sends, mode=data that of a page")
	}
	if cut {
		a.noted = append(a.noted, "The filter has more results than are returned; select fewer.")
	}
	if out == "" {
		a.noted = append(a.noted, "The filter has no results.")
	}
	a.content.mode, a.content.whole, a.content.lines = Data, out, true
	a.Metadata.Tokens = a.content.size().tokens
	return nil
}

// csv makes the content of mode=csv: the tables as RFC 4180 has them, with an empty line
// between them.
func (a *Answer) csv(ctx context.Context, s *loaded, p *page.Page, q compiled) error {
	_, whole, err := a.dataOf(ctx, s, p, q)
	if err != nil {
		return err
	}
	var b strings.Builder
	for i, t := range markdown.Tables(whole) {
		if i > 0 {
			b.WriteByte('\n')
		}
		w := csv.NewWriter(&b)
		if t.Columns != nil {
			_ = w.Write(t.Columns) // a strings.Builder takes all
		}
		_ = w.WriteAll(t.Rows)
	}
	if a.content.whole = strings.TrimSuffix(b.String(), "\n"); a.content.whole == "" {
		return &extract.Error{Code: extract.NoContent, Verdict: whole.Verdict}
	}
	return nil
}

// dataOf is what a page says as data, and the page with its tables: the whole body where
// nothing else was asked for, because extraction takes tables for boxes of links at times.
func (a *Answer) dataOf(ctx context.Context, s *loaded, p *page.Page, q compiled) (*about.Graph, *page.Page, error) {
	o := s.again(ctx)
	if q.Selector != "" || len(q.Sections) > 0 || !hasMore(p) {
		d, err := extract.Data(s.res.Body, s.res.MediaType, o)
		return d, p, err
	}
	a.release(s)
	o.Whole = true
	d, whole, err := extract.DataAndPage(s.res.Body, o)
	if err != nil {
		whole = &page.Page{} // nor has its main content tables
	}
	return d, whole, ctx.Err()
}

// indented writes a value as JSON.
func indented(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// factsLine is what the page's data says about its subject, as one line of page text
// that stands above the content; what the answer says outside of the fence is left
// out.
func (a *Answer) factsLine() string {
	c := &a.content
	part := c.places != nil || c.start > 0 && c.passages == nil
	if a.Facts == nil || a.brief || part || c.mode != Markdown && c.mode != Text || a.Metadata.Since != nil || c.sought {
		return ""
	}
	line := result.Facts{Type: a.Facts.Type}
	size := 0
	for _, f := range a.Facts.Values {
		if size <= mostFacts && !a.says(f) {
			size += len(f.Name) + len(f.Value)
			line.Values = append(line.Values, f)
		}
	}
	if s := line.String(); s != "" {
		return "Facts of the " + s + "\n\n"
	}
	return ""
}

// says reports whether the answer has a fact outside of the fence.
func (a *Answer) says(f result.Fact) bool {
	date := f.Name == "published" || f.Name == "uploaded" || f.Name == "asked"
	return f.Value == a.Title || f.Value == a.Byline || f.Value == a.Published ||
		date && len(a.Published) >= 10 && strings.HasPrefix(f.Value, a.Published[:10])
}

// mostFacts bounds the line of facts, in bytes, but for its last fact.
const mostFacts = 400

// filled makes the content of a schema that selectors fill.
func (a *Answer) filled(ctx context.Context, q compiled, s *loaded) error {
	v, cut, err := extract.Fill(s.res.Body, s.res.MediaType, s.again(ctx), q.fields)
	var ee *extract.Error
	if errors.As(err, &ee) && ee.Code == extract.BadSelector {
		return badRequest("the selectors of the schema ask for too much", "select fewer elements, or by shorter selectors")
	}
	if ee != nil && ee.Code == extract.NoMatch {
		e := tool.NewError(tool.NoContent, "no x-selector of the schema finds anything on the page", "check them against mode=raw, or against render=always if scripts make the page")
		e.Cause = err
		return e
	}
	if err != nil {
		return err
	}
	if cut {
		a.noted = append(a.noted, "The page has more values than are read; select a part of it.")
	}
	whole, err := indented(v)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal([]byte(whole), &plain); err != nil {
		return err
	}
	problem, missing := q.schema.Problem(plain)
	if missing {
		return tool.NewError(tool.NoContent, "the page does not have all that the schema requires: "+problem, "check its x-selector against mode=raw, or take it out of required")
	}
	if problem != "" {
		a.noted = append(a.noted, "The values do not fit the schema: "+problem+".")
	}
	a.AnsweredBy = q.by
	a.content.mode, a.content.whole = Data, whole
	return nil
}
