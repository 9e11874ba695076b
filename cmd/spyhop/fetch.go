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
	"github.com/spyhop-dev/spyhop/tool"
)

// exitHelp ends the help of each command.
const exitHelp = `
Exit status: 0 done, 1 other failure, 2 usage or a wrong setting, 3 blocked by the
policy, 4 HTTP error, 5 network or time-out, 6 nothing to read, 7 browser missing,
130 cancelled.`

type fetchCmd struct {
	URLs       []string      `arg:"" name:"url" help:"Address to read; https:// is added where there is no scheme."`
	Mode       string        `help:"What to make of the page: ${enum}." enum:"markdown,text,html,raw,links,outline,json" default:"markdown"`
	MaxLength  *int          `help:"Most characters of content; 0 for all. Left out: WEB_MAX_CONTENT_CHARS." placeholder:"N"`
	MaxTokens  int           `help:"Most tokens of content, by estimate." placeholder:"N"`
	StartIndex int           `help:"Character of the content to begin at." placeholder:"N"`
	Query      string        `help:"Print the passages that answer this best, within --max-tokens." placeholder:"TEXT"`
	Prompt     string        `help:"Have the model of WEB_MODEL answer this from the page; several addresses are answered once." placeholder:"TEXT"`
	Schema     string        `help:"File with a JSON Schema for the answer to --prompt; - reads stdin." placeholder:"FILE"`
	Section    []string      `help:"Read this section alone: an ID of --mode outline, or an anchor; can be repeated." sep:"," placeholder:"ID"`
	Selector   string        `help:"Read what this CSS selector fits alone." placeholder:"CSS"`
	Contains   string        `name:"must-contain" help:"Say whether this text is on the page, and where, instead of printing it." placeholder:"TEXT"`
	Since      string        `help:"Print what has changed after this version of the page; last is the one that was seen last." placeholder:"VERSION"`
	Timeout    time.Duration `help:"Give up after this long, as 10s; at most 2m." placeholder:"DURATION"`
	NoImages   bool          `help:"Write [image: alt] instead of addresses of pictures."`
	Whole      bool          `help:"Read the whole body instead of the main content."`
	Render     string        `help:"Run the page's scripts in a browser: ${enum}. auto does where content seems to be missing without them." enum:"auto,never,always" default:"auto"`
	Comments   string        `help:"Readers' comments: ${enum}. auto leaves them out on articles." enum:"auto,always,never" default:"auto"`
	freshness
	access
}

// freshness is what of the cache may be used.
type freshness struct {
	MaxAge *time.Duration `help:"Accept a stored copy of at most this age, as 1h; 0 asks the site for changes. Left out: WEB_CACHE_TTL." placeholder:"DURATION"`
	Fresh  bool           `help:"Ask the site anew."`
}

// access is what a site may be shown of the caller.
type access struct {
	Header    []string `help:"Further request header; can be repeated." sep:"none" placeholder:"NAME:VALUE"`
	UserAgent string   `help:"User-Agent header of this call." placeholder:"TEXT"`
	Auth      string   `help:"Basic credentials: env:NAME, file:PATH, or user:password." placeholder:"SECRET"`
	Bearer    string   `help:"Bearer token: env:NAME, file:PATH, or the token." placeholder:"SECRET"`
	Cookie    string   `help:"Cookie header: env:NAME, file:PATH, or the text." placeholder:"SECRET"`
	Login     string   `help:"Read with the login of this site, which spyhop login has saved; for its addresses alone." placeholder:"SITE"`
}

const accessHelp = `
Credentials are sent only to the origin of the address, never to the target of a
redirect. Give them as env:NAME or file:PATH (file:- is stdin), because other users of
this machine can see command lines.
`

func (fetchCmd) Help() string {
	return `Prints the content on stdout and facts about it on stderr. With several addresses, it
prints their contents in the given order, and the first failure decides the exit status.
--json prints one object for one address, and {"results":[…]} for several.
` + accessHelp + `
Examples:

    spyhop fetch example.com
    spyhop fetch --query "goroutine leaks" --max-tokens 800 go.dev/doc/effective_go
    spyhop fetch --json --mode links https://example.com/ | jq .links
` + exitHelp
}

func (c *fetchCmd) Run(s *session) error {
	if c.Mode == "json" {
		s.cli.JSON, c.Mode = true, "markdown"
	}
	q := spyhop.FetchRequest{Mode: spyhop.Mode(c.Mode), MaxTokens: c.MaxTokens, StartIndex: c.StartIndex,
		Query: c.Query, Sections: c.Section, Selector: c.Selector, MustContain: c.Contains, Since: c.Since,
		Prompt: c.Prompt, Timeout: c.Timeout, NoImages: c.NoImages, Whole: c.Whole, Comments: spyhop.Comments(c.Comments), Render: spyhop.Render(c.Render), Fresh: c.Fresh}
	if err := limits(&q, c.MaxLength, c.MaxAge); err != nil {
		return err
	}
	if c.Schema != "" {
		schema, err := s.file(c.Schema)
		if err != nil {
			return err
		}
		q.Schema = schema
	}
	return s.fetch(c.URLs, q, c.access)
}

// file reads a small file, or stdin.
func (s *session) file(name string) ([]byte, error) {
	const most = 1 << 20
	if name == "-" {
		return io.ReadAll(io.LimitReader(s.stdin, most))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

type linksCmd struct {
	URLs      []string      `arg:"" name:"url" help:"Address to read; https:// is added where there is no scheme."`
	MaxLength *int          `help:"Most characters, in whole lines; 0 for all. Left out: WEB_MAX_CONTENT_CHARS." placeholder:"N"`
	Timeout   time.Duration `help:"Give up after this long, as 10s; at most 2m." placeholder:"DURATION"`
	freshness
	access
}

func (linksCmd) Help() string {
	return `Prints the absolute links to the same registrable domain, the most frequent first.
` + accessHelp + `
Examples:

    spyhop links example.com
    spyhop links --max-length 0 https://example.com/
` + exitHelp
}

func (c *linksCmd) Run(s *session) error {
	q := spyhop.FetchRequest{Mode: spyhop.ModeLinks, Timeout: c.Timeout, Fresh: c.Fresh}
	if err := limits(&q, c.MaxLength, c.MaxAge); err != nil {
		return err
	}
	return s.fetch(c.URLs, q, c.access)
}

// limits puts the flags whose 0 is not the default into the request, and refuses
// numbers that the library would take for something else.
func limits(q *spyhop.FetchRequest, maxLength *int, maxAge *time.Duration) error {
	bad := func(flag string, value any, allowed string) error {
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("--%s %v is not allowed", flag, value), "use "+allowed)
	}
	switch {
	case maxLength != nil && *maxLength < 0:
		return bad("max-length", *maxLength, "a number from 0 up; 0 is all")
	case q.MaxTokens < 0:
		return bad("max-tokens", q.MaxTokens, "a number from 1 up")
	case maxAge != nil && *maxAge < 0:
		return bad("max-age", *maxAge, "a duration from 0 up")
	case q.StartIndex < 0:
		return bad("start-index", q.StartIndex, "a number from 0 up")
	case q.Timeout < 0 || q.Timeout > spyhop.MaxTimeout:
		return bad("timeout", q.Timeout, "a duration up to "+spyhop.MaxTimeout.String())
	}
	if maxLength != nil {
		q.MaxLength = cmp.Or(*maxLength, spyhop.NoLimit)
	}
	if maxAge != nil {
		q.MaxAge, q.Revalidate = *maxAge, *maxAge == 0
	}
	return nil
}

// fill puts what was given into the request.
func (a access) fill(q *spyhop.FetchRequest, stdin io.Reader) error {
	for _, h := range a.Header {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(h, "\r\n\x00") {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("--header %q is no header", h), `use the form "Name: value"`)
		}
		if q.Header == nil {
			q.Header = map[string]string{}
		}
		switch http.CanonicalHeaderKey(name) {
		case "Authorization", "Cookie", "Proxy-Authorization":
			return tool.NewError(tool.InvalidInput, "--header "+name+" would go to other hosts as well",
				"use --auth, --bearer or --cookie, which are bound to the address")
		}
		q.Header[name] = value
	}
	q.Login = a.Login
	auth, err := secret("auth", a.Auth, stdin)
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
	if q.Bearer, err = secret("bearer", a.Bearer, stdin); err != nil {
		return err
	}
	q.Cookie, err = secret("cookie", a.Cookie, stdin)
	return err
}

// secret reads the value of a flag that names a secret.
func secret(flag, value string, stdin io.Reader) (string, error) {
	const most = 64 << 10
	from, name, _ := strings.Cut(value, ":")
	switch from {
	case "env":
		text, ok := os.LookupEnv(name)
		if !ok || text == "" {
			return "", tool.NewError(tool.InvalidInput, "--"+flag+": the variable "+name+" is not set", "set it, or use file:PATH")
		}
		return strings.TrimSpace(text), nil
	case "file":
		in := stdin
		if name != "-" {
			f, err := os.Open(name)
			if err != nil {
				return "", tool.NewError(tool.InvalidInput, "--"+flag+": cannot read "+name, "check the path and its permissions")
			}
			defer f.Close()
			in = f
		}
		text, err := io.ReadAll(io.LimitReader(in, most))
		if err != nil {
			return "", tool.NewError(tool.InvalidInput, "--"+flag+": cannot read "+name, "check the path and its permissions")
		}
		return strings.TrimSpace(string(text)), nil
	}
	return value, nil
}

// fetch reads addresses one after the other and prints each as it comes.
func (s *session) fetch(urls []string, q spyhop.FetchRequest, a access) error {
	if err := notFiles(urls...); err != nil {
		return err
	}
	if err := a.fill(&q, s.stdin); err != nil {
		return err
	}
	cfg, err := s.configuration()
	if err != nil {
		return err
	}
	if a.UserAgent != "" {
		cfg.UserAgent = a.UserAgent
	}
	client, err := newClient(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	if len(urls) == 1 {
		return s.fetchOne(client, urls[0], q)
	}
	if q.Prompt != "" {
		return s.fetchTogether(client, urls, q)
	}
	var results []any
	var status failed
	for i, u := range urls {
		q.URL = u
		r, err := s.get(client, q)
		if err != nil {
			e := s.asError(err)
			if status == 0 {
				status = failed(e.ExitCode())
			}
			results = append(results, failure{URL: u, Error: e})
			if !s.cli.JSON {
				s.screen.error(e)
			}
			if e.Type == tool.Cancelled {
				break
			}
			continue
		}
		results = append(results, r)
		if !s.cli.JSON {
			if i > 0 {
				s.stdout.WriteByte('\n')
			}
			s.answer(r, q)
		}
	}
	if s.cli.JSON {
		s.print(map[string]any{"results": results})
	}
	if status != 0 {
		return status
	}
	return nil
}

// fetchTogether has one prompt answered over several addresses.
func (s *session) fetchTogether(client *spyhop.Client, urls []string, q spyhop.FetchRequest) error {
	if !s.cli.Quiet {
		s.screen.start("reading " + counted(len(urls), "page"))
	}
	all, err := client.FetchAll(s.ctx, urls, q)
	s.screen.clear()
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(all)
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
			s.answer(a, q)
		}
	}
	if !s.cli.Quiet {
		s.stdout.Flush()
		s.screen.fact("answered by", all.AnsweredBy)
		for _, n := range all.Notices {
			s.screen.fact("notice", n)
		}
	}
	if first != nil {
		return failed(first.ExitCode())
	}
	return nil
}

// failure stands in a list of results for an address that failed.
type failure struct {
	Success bool        `json:"success"`
	URL     string      `json:"url"`
	Error   *tool.Error `json:"error"`
}

func (s *session) fetchOne(client *spyhop.Client, u string, q spyhop.FetchRequest) error {
	q.URL = u
	r, err := s.get(client, q)
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(r)
		return nil
	}
	s.answer(r, q)
	return nil
}

func (s *session) get(client *spyhop.Client, q spyhop.FetchRequest) (*spyhop.FetchResult, error) {
	if !s.cli.Quiet {
		s.screen.start("waiting for " + q.URL)
	}
	defer s.screen.clear()
	return client.Fetch(s.ctx, q)
}

// answer prints the content to stdout and the facts to stderr.
func (s *session) answer(r *spyhop.FetchResult, q spyhop.FetchRequest) {
	if r.RedirectURL != "" {
		s.content("The URL redirected to: " + r.RedirectURL)
	} else {
		s.content(r.Body())
	}
	s.stdout.Flush()
	if s.cli.Quiet {
		return
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
	facts := []string{string(r.Verdict), string(r.PageType), fmt.Sprintf("~%d tokens", m.Tokens)}
	if m.Rendered {
		facts = append(facts, "rendered")
	}
	if m.Unfiltered {
		facts = append(facts, "unfiltered")
	}
	s.screen.fact("verdict", strings.Join(facts, ", "))
	s.screen.fact("answered by", r.AnsweredBy)
	for _, n := range r.Notices {
		s.screen.fact("notice", n)
	}
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
	URL string `arg:"" name:"url" help:"Address to read, with http:// or https://."`
}

func (browseCmd) Help() string {
	return `Prints the same text that the web_browse tool returns to a model: the page as Markdown,
at most 10,000 characters, or one line that begins with "Error: ".

Examples:

    spyhop browse https://example.com/
    spyhop browse --json https://example.com/
` + exitHelp
}

func (c *browseCmd) Run(s *session) error {
	if err := notFiles(c.URL); err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	if !s.cli.Quiet {
		s.screen.start("waiting for " + c.URL)
	}
	text := client.Browse(s.ctx, c.URL)
	s.screen.clear()
	if s.cli.JSON {
		s.print(map[string]string{"result": text})
	} else {
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
