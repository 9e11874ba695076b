package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/ocr"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/internal/worker"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// maxInputBytes bounds a file, unpacked.
const maxInputBytes = 64 << 20

type extractCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"File to read; - or nothing reads stdin."`
	URL   string   `name:"url" help:"Address that the file came from: the base of its links." placeholder:"URL"`
	extractFlags
	outputFlag
	Type    string `help:"Media type of the file. Left out: by the file's name, then by its bytes." placeholder:"TYPE"`
	Explain bool   `help:"Print how each block of an HTML page was judged instead of the content."`
	Batch   string `help:"Read each page of a manifest (- is stdin)." placeholder:"FILE"`

	QueryBudgets []int `help:"With --batch: the passages that answer the query of a row best, for each of these budgets in tokens." placeholder:"N"`
}

// extraction is the command with what its flags ask for.
type extraction struct {
	*extractCmd
	request reader.Request
	format  string // of a row: the mode, or json
	// documents has documents read in a worker; nil reads them in this process.
	documents func(ctx context.Context, request ...[]byte) (reply []byte, err error)
	recognize func(ctx context.Context, picture []byte, language string) ([]string, error)
}

func (c *extractCmd) run(s *session) error {
	x, err := c.extraction(s)
	if err != nil {
		return err
	}
	switch {
	case c.Batch != "":
		return x.batch(s)
	case len(c.Files) == 0:
		c.Files = []string{"-"}
	}
	if c.Explain {
		for _, name := range c.Files {
			if err := x.explain(s, name); err != nil {
				return err
			}
		}
		return nil
	}
	// A batch measures its own processor time, so it reads in this process.
	workers := worker.New(worker.Options{Service: extract.Service()})
	defer workers.Close()
	x.documents = workers.Do
	settings, err := s.settings()
	if err != nil {
		return err
	}
	if !settings.Values.NoOCR {
		x.recognize = ocr.New(workers.Run).Text
	}
	save, err := c.saver(s, len(c.Files) > 1, x.format)
	if err != nil {
		return err
	}
	return s.each(c.Files, save, func(name string) (*spyhop.FetchResult, error) {
		body, err := s.file(name, maxInputBytes)
		if err != nil {
			return nil, err
		}
		a, err := x.read(body, name, c.URL)
		if err != nil {
			return nil, extractError(name, err)
		}
		return &a.Fetch, nil
	}, s.extracted, func(name string, e *tool.Error) failure { return failure{File: name, Error: e} })
}

// extraction checks the flags.
func (c *extractCmd) extraction(s *session) (*extraction, error) {
	q, err := c.request()
	if err == nil {
		err = s.finishRequest(&q, c.Schema)
	}
	if err != nil {
		return nil, err
	}
	x := &extraction{extractCmd: c, format: string(q.Mode), request: fileRequest(q)}
	if s.cli.JSON {
		x.format = "json"
	}
	x.request.Titles = x.request.Whole
	bad := func(message, hint string) (*extraction, error) {
		return nil, tool.NewError(tool.InvalidInput, message, hint)
	}
	switch {
	case len(c.QueryBudgets) > 0 && (c.Batch == "" || slices.Min(c.QueryBudgets) < 1):
		return bad("--query-budgets takes numbers from 1 up, and goes with --batch", "give a manifest whose lines have a query")
	case c.Batch != "" && (len(c.Files) > 0 || c.URL != "" || c.Output != ""):
		return bad("--batch takes its files and URLs from the manifest, and prints JSON Lines", "leave out FILE, --url and -o")
	case c.URL != "" && len(c.Files) > 1:
		return bad(fmt.Sprintf("--url is the URL of one file, and %d files were given", len(c.Files)), "use --batch with a manifest, which has a URL for each file")
	case c.URL == "" && c.Batch == "" && x.request.Mode == reader.Links:
		return bad("--mode links lists the links to the page's own site, and its URL is not known", "give it with --url")
	}
	if c.URL != "" {
		u, err := weburl.Parse(c.URL)
		if err != nil {
			return bad(fmt.Sprintf("--url %v", err), "give an absolute URL, for example https://example.com/page")
		}
		c.URL = u.String()
	}
	return x, nil
}

// extracted prints the content to stdout and the facts to stderr.
func (s *session) extracted(r *spyhop.FetchResult) {
	s.body(r)
	s.stdout.Flush()
	s.screen.fact("title", r.Title)
	s.verdict(r)
}

// options are those of package extract, for what reads without a request.
func (x *extraction) options(url string) (o extract.Options, err error) {
	o = extract.Options{URL: url, Whole: x.request.Whole}
	o.Comments, _ = extract.ParseComments(x.request.Comments) // the flag's enum has no others
	if x.request.Selector != "" {
		o.Selector, err = extract.CompileSelector(x.request.Selector)
	}
	return o, err
}

// decode finds the media type of a file and makes UTF-8 of its text.
func (x *extraction) decode(body []byte, name string) reader.File {
	return reader.NewFile(body, name, x.Type)
}

// read answers the request for a file; an address that does not parse is none.
func (x *extraction) read(body []byte, name, url string) (*reader.Answer, error) {
	f := x.decode(body, name)
	f.URL, _ = weburl.Parse(url)
	f.Documents, f.Recognize = x.documents, x.recognize
	return reader.OfFile(context.Background(), f, x.request)
}

// explain prints how each block was judged.
func (x *extraction) explain(s *session, name string) error {
	body, err := s.file(name, maxInputBytes)
	if err != nil {
		return err
	}
	f := x.decode(body, name)
	if f.MediaType != "text/html" && f.MediaType != "application/xhtml+xml" {
		return tool.NewError(tool.InvalidInput, "--explain reads HTML, not "+f.MediaType, "--type text/html when it is HTML all the same")
	}
	o, err := x.options(x.URL)
	if err != nil {
		return extractError(name, err)
	}
	p, blocks, err := extract.Explain(f.Body, o)
	if err != nil {
		return extractError(name, err)
	}
	e := reader.Explained(p, blocks)
	if s.printed(e) {
		return nil
	}
	out := explainedText(e.Blocks)
	s.content(out)
	s.screen.fact("verdict", fmt.Sprintf("%s, %s, %s, %s", p.Verdict, p.Type, p.Method, text.Count(len(blocks), "block")))
	s.screen.fact("reason", e.VerdictReason)
	return nil
}

func extractError(name string, err error) error {
	e := tool.NewError(tool.ParseError, "cannot read "+name+": "+err.Error(), "")
	var te *tool.Error
	if errors.As(err, &te) {
		return te
	}
	var ee *extract.Error
	if errors.As(err, &ee) {
		switch ee.Code {
		case extract.Unsupported:
			e.Type, e.Hint = tool.UnsupportedContent, "--type names the media type when the file's name does not tell"
		case extract.TooLarge:
			e.Type = tool.TooLarge
		case extract.NoContent:
			e.Type = tool.NoContent
			switch {
			case ee.Verdict != "":
				e.Hint = "--whole converts the whole body"
			case ee.MediaType == "text/html":
				e.Hint = "--mode raw prints the file as it is"
			}
		case extract.BadSelector:
			e.Type = tool.InvalidInput
		case extract.NoMatch:
			e.Type, e.Hint = tool.NoContent, "--mode outline shows what is there; leave --selector out to read all"
		}
	}
	return e
}

// cause is the short reason of an error about a file, without its name.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// explainedText has for each block whether it was kept, its score, its words, where it
// stands, how it begins, and why. The units of the page have a line before their blocks.
func explainedText(blocks []result.Judgement) string {
	var out strings.Builder
	unit := ""
	for _, b := range blocks {
		if b.Unit != unit {
			if unit = b.Unit; unit != "" {
				fmt.Fprintf(&out, "= %s\n", unit)
			}
		}
		mark := '-'
		if b.Kept {
			mark = '+'
		}
		fmt.Fprintf(&out, "%c %.3f %4d words  %s\n    %s\n    %s\n", mark, b.Score, b.Words, b.Path, text.Cut(b.Text, 100), b.Why)
	}
	return out.String()
}
