package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type fetchCmd struct {
	URLs []string `arg:"" name:"url" help:"URL to fetch; https:// is added if the scheme is missing."`
	fetchFlags
	access
	outputFlag
	archiveFlags
}

// access is what a site may be shown of the caller.
type access struct {
	UserAgent string `help:"User-Agent header of this call." placeholder:"TEXT"`
	Auth      string `help:"Basic credentials: env:NAME, file:PATH, or user:password." placeholder:"SECRET"`
	Bearer    string `help:"Bearer token: env:NAME, file:PATH, or the token." placeholder:"SECRET"`
	Cookie    string `help:"Cookie header: env:NAME, file:PATH, or the text." placeholder:"SECRET"`
}

func (c *fetchCmd) run(s *session) error {
	q, err := c.request(s)
	if err != nil {
		return err
	}
	return s.fetch(c.URLs, q, c.access, c.outputFlag)
}

// maxSmall bounds a file that is not a page: a schema, a plan.
const maxSmall = 1 << 20

// file reads a file of at most so many bytes, or stdin for "-".
func (s *session) file(name string, most int64) ([]byte, error) {
	in, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	body, err := readAll(in, most)
	if err != nil {
		return nil, tool.NewError(tool.InvalidInput, "cannot read "+name+": "+cause(err), "")
	}
	return body, nil
}

func readAll(r io.Reader, most int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(body)) > most {
		return nil, fmt.Errorf("it is larger than %s", size(most))
	}
	return body, err
}

// fill puts the credentials into the request.
func (a access) fill(q *spyhop.FetchRequest, s *session) error {
	auth, err := s.secret("auth", a.Auth)
	if err != nil {
		return err
	}
	if auth != "" {
		user, password, ok := strings.Cut(auth, ":")
		if !ok {
			return tool.NewError(tool.InvalidInput, "--auth has no colon", "use the form user:password")
		}
		q.Username, q.Password = user, password
	}
	if q.Bearer, err = s.secret("bearer", a.Bearer); err != nil {
		return err
	}
	q.Cookie, err = s.secret("cookie", a.Cookie)
	return err
}

// secret reads the value of a flag that names a secret.
func (s *session) secret(flag, value string) (string, error) {
	const most = 64 << 10
	switch from, name, _ := strings.Cut(value, ":"); from {
	case "env":
		if value = os.Getenv(name); value == "" {
			return "", tool.NewError(tool.InvalidInput, "--"+flag+": the variable "+name+" is not set", "set it, or use file:PATH")
		}
	case "file":
		text, err := s.file(name, most)
		return strings.TrimSpace(string(text)), err
	default:
		return value, nil
	}
	return strings.TrimSpace(value), nil
}

// fetch reads addresses one after the other and prints each as it comes.
func (s *session) fetch(urls []string, q spyhop.FetchRequest, a access, o outputFlag) error {
	if err := notFiles(urls...); err != nil {
		return err
	}
	if err := a.fill(&q, s); err != nil {
		return err
	}
	if s.given.Record != "" && (q.Username != "" || q.Bearer != "" || q.Cookie != "" || q.Login != "") {
		s.screen.fact("notice", "an archive holds nothing that is read with credentials: "+s.given.Record+" gets no page of this call")
	}
	cfg, err := s.configuration()
	if err != nil {
		return err
	}
	if a.UserAgent != "" {
		cfg.UserAgent = a.UserAgent
	}
	client, err := s.clientOf(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	if q.Prompt != "" && len(urls) > 1 {
		if o.Output != "" {
			return tool.NewError(tool.InvalidInput, "-o writes a file for each URL, and a prompt over several has one answer", "leave -o out, and redirect stdout")
		}
		return s.fetchTogether(client, urls, q)
	}
	save, err := o.saver(s, len(urls) > 1, string(q.Mode))
	if err != nil {
		return err
	}
	return s.each(urls, save, func(u string) (*spyhop.FetchResult, error) {
		q.URL = u
		return s.get(client, q)
	}, s.answer, func(u string, e *tool.Error) failure { return failure{URL: u, Error: e} })
}

// each reads several addresses or files one after the other and shows each as it
// comes; with --json it prints them at the end. The first failure decides the exit
// status. save, unless it is nil, writes each to a file instead. fail is what stands in
// the list for one that failed.
func (s *session) each(names []string, save func(string, *spyhop.FetchResult) error, read func(string) (*spyhop.FetchResult, error), show func(*spyhop.FetchResult), fail func(string, *tool.Error) failure) error {
	var results []any
	var status failed
	listed := s.cli.JSON && save == nil
	for i, name := range names {
		r, err := read(name)
		if err == nil && save != nil {
			err = save(name, r)
		}
		switch {
		case err != nil && len(names) == 1:
			return err
		case err != nil:
			e := s.asError(err)
			status = cmp.Or(status, failed(e.ExitCode()))
			results = append(results, fail(name, e))
			if !listed {
				s.screen.error(e)
			}
		case listed:
			results = append(results, r)
		case save == nil:
			if len(names) > 1 {
				s.heading(name, i == 0)
			}
			show(r)
		}
		if s.ctx.Err() != nil {
			break
		}
	}
	if listed && len(names) == 1 {
		s.print(results[0])
	} else if listed {
		s.print(map[string]any{"results": results})
	}
	if status != 0 {
		return status
	}
	return nil
}

// heading prints the name of one of several answers.
func (s *session) heading(name string, first bool) {
	if !first {
		s.stdout.WriteByte('\n')
	}
	s.stdout.WriteString(s.screen.paintOut(bold, "==> "+printable(name)+" <==") + "\n")
}

// fetchTogether has one prompt answered over several addresses.
func (s *session) fetchTogether(client *spyhop.Client, urls []string, q spyhop.FetchRequest) error {
	s.screen.start("reading " + text.Count(len(urls), "page"))
	all, err := client.FetchAll(s.ctx, urls, q)
	s.screen.clear()
	if err != nil {
		return err
	}
	if s.printed(all) {
		return nil
	}
	if all.Content != "" {
		s.content(all.Content)
	}
	var first *tool.Error
	for _, a := range all.Results {
		switch {
		case a.Error != nil:
			s.screen.error(a.Error)
			if first == nil {
				first = a.Error
			}
		case all.Content == "":
			s.answer(a)
		}
	}
	s.screen.fact("answered by", all.AnsweredBy)
	s.screen.facts("notice", all.Notices)
	if first != nil {
		return failed(first.ExitCode())
	}
	return nil
}

// failure stands in a list of results for an address, or a file, that failed.
type failure struct {
	Success bool        `json:"success"`
	URL     string      `json:"url,omitempty"`
	File    string      `json:"file,omitempty"`
	Error   *tool.Error `json:"error"`
}

func (s *session) get(client *spyhop.Client, q spyhop.FetchRequest) (*spyhop.FetchResult, error) {
	s.screen.start("waiting for " + q.URL)
	defer s.screen.clear()
	return client.Fetch(s.ctx, q)
}

// answer prints the content to stdout and the facts to stderr.
func (s *session) answer(r *spyhop.FetchResult) {
	if r.RedirectURL != "" {
		s.content("The URL redirected to: " + r.RedirectURL)
	} else {
		s.body(r)
	}
	m := r.Metadata
	s.screen.fact("url", r.FinalURL)
	s.screen.fact("title", r.Title)
	if r.RedirectURL != "" {
		s.screen.fact("redirect", fmt.Sprintf("%s (%s)", r.RedirectURL, status(m.Status)))
		s.screen.fact("next", "spyhop fetch "+shellWord(r.RedirectURL))
		return
	}
	received := fmt.Sprintf("%s, %s (%s) in %.0f ms", m.ContentType, size(m.ContentLength), status(m.Status), m.Timings.FetchMS)
	if m.Cached {
		received += " (cached)"
	}
	s.screen.fact("received", received)
	s.screen.fact("read as", r.ReadAs())
	s.verdict(r)
}

// body prints the content of a result. A person on a terminal also sees the title, where
// the content does not begin with a heading.
func (s *session) body(r *spyhop.FetchResult) {
	if body := r.Body(); body == r.Markdown {
		if s.screen.outTerminal && !s.cli.Plain && r.Title != "" && !strings.HasPrefix(body, "# ") {
			body = "# " + escaped(text.Line(r.Title)) + "\n\n" + body
		}
		s.markdown(body)
	} else {
		s.content(body)
	}
}

// verdict prints what is to be known of a content: how far it is the page, and
// how to read on.
func (s *session) verdict(r *spyhop.FetchResult) {
	m := r.Metadata
	facts := []string{string(r.Verdict), string(r.PageType), fmt.Sprintf("~%d tokens", m.Tokens)}
	if m.Rendered {
		facts = append(facts, "rendered")
	}
	if m.Unfiltered {
		facts = append(facts, "unfiltered")
	}
	s.screen.fact("verdict", strings.Join(facts, ", "))
	s.screen.fact("facts", r.Facts.String())
	s.screen.fact("answered by", r.AnsweredBy)
	s.screen.facts("notice", r.Notices)
	if r.NextStartIndex != nil {
		s.screen.fact("next", fmt.Sprintf("--start-index %d reads on, --max-length 0 reads all", *r.NextStartIndex))
	}
}

// status writes an HTTP status as "200 OK".
func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return fmt.Sprintf("%d %s", code, text)
	}
	return fmt.Sprint(code)
}

type browseCmd struct {
	URL       string        `arg:"" name:"url" help:"URL to fetch, with http:// or https://."`
	Timeout   time.Duration `help:"Give up after this time, for example 10s; at most 2m." placeholder:"DURATION"`
	UserAgent string        `help:"User-Agent header of this call." placeholder:"TEXT"`
}

func (c *browseCmd) run(s *session) error {
	if err := notFiles(c.URL); err != nil {
		return err
	}
	if c.Timeout < 0 || c.Timeout > spyhop.MaxTimeout {
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("--timeout %s is not allowed", c.Timeout), "use a duration from 1ms up to 2m")
	}
	cfg, err := s.configuration()
	if err != nil {
		return err
	}
	cfg.Timeout, cfg.UserAgent = cmp.Or(c.Timeout, cfg.Timeout), cmp.Or(c.UserAgent, cfg.UserAgent)
	client, err := s.clientOf(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	s.screen.start("waiting for " + c.URL)
	text := client.Browse(s.ctx, c.URL)
	s.screen.clear()
	if !s.printed(map[string]string{"result": text}) {
		s.content(text)
	}
	if s.ctx.Err() != nil {
		return failed(tool.ExitCancelled)
	}
	if code := browseStatus(text); code != 0 {
		return failed(code)
	}
	return nil
}

// browseStatus finds the exit status by the strings of web_browse, which
// fails in no other way.
func browseStatus(text string) int {
	rest, ok := strings.CutPrefix(text, "Error: ")
	if !ok {
		return tool.ExitDone
	}
	for _, c := range []struct {
		prefix string
		code   int
	}{
		{"Invalid URL format", tool.ExitUsage},
		{"HTTP ", tool.ExitHTTP},
		{"Request timed out", tool.ExitNetwork},
		{"Failed to connect", tool.ExitNetwork},
		{"Failed to parse", tool.ExitNothing},
		{"No readable content", tool.ExitNothing},
		{"Unsupported content type", tool.ExitNothing},
		{"Blocked - ", tool.ExitBlocked},
	} {
		if strings.HasPrefix(rest, c.prefix) {
			return c.code
		}
	}
	return tool.ExitOther
}

// recordFlags write an archive, replayFlags answer from one.
type recordFlags struct {
	Record string `help:"Record the pages that are fetched in this WARC file; .gz compresses it. It never contains cookies or credentials." placeholder:"FILE" type:"path"`
}

type replayFlags struct {
	Replay string `help:"Use pages from this WARC file, without a network." placeholder:"FILE" type:"path"`
}

type archiveFlags struct {
	recordFlags
	replayFlags
}
