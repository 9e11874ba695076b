// Package reader provides the answer to one address and one purpose: it
// fetches, extracts, renders what was asked for, cuts it to a window, and says
// honestly what the reader has in hand.
//
//	r := reader.New(reader.Options{Fetch: client.Get})
//	a, err := r.Read(ctx, reader.Request{URL: u})
//	if err != nil {
//		return err // always a *tool.Error
//	}
//	fmt.Println(a.Text())
//
// A [Request] may ask for less than a page: for sections, for what a selector
// fits, for the passages that answer a query, for what has changed since a
// version, or only whether a text is there. [Reader.ReadAll] reads several
// addresses under one budget. [evidence] looks up what a model says that a page
// says.
//
// Every surface reads through here: the command, the library and the tools.
// What differs between them is in the [Request] (who follows redirects, how
// large the window is) and in the form that is printed of the [Answer].
//
// # Guarantees
//
// Read never panics on any content, does not outlive its context, and fails
// only with a *tool.Error. An answer that is cut says where it goes on, and the
// windows of a page add up to it. What passages leave out is marked. A version
// that was read with credentials is compared with those of the same credentials
// alone. A Reader is safe for concurrent use.
//
// # Limits
//
// Pages are read as the server sends them, or in the form that their site has
// for machines (package sites); Options.Render reads those whose content comes
// from their scripts, as far as that can be seen without running them. What is
// cached is what the server sent or the browser gave: a page is made of it each
// time. Without Options.Embed, passages are chosen by words, not by meaning.
package reader

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/inflight"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// defaultMaxChars is the window where a request names none.
const defaultMaxChars = 20_000

// Options are what a Reader works with.
type Options struct {
	// Fetch gets an address. Required.
	Fetch func(context.Context, fetch.Request) (*fetch.Response, error)
	// MaxChars is the window of answers in characters; 0 means
	// defaultMaxChars, less no bound.
	MaxChars int
	// Model answers prompts; nil: the caller's own, where it has one. ModelName
	// is what answers call it, for example "ollama/qwen3".
	Model     tool.Model
	ModelName string
	// Render opens a page in a browser; nil:
	// no browser. Its error is a *tool.Error.
	Render func(context.Context, RenderRequest) (*Rendered, error)
	// Documents gives a request to a process that reads documents, and returns
	// its reply (see extract.Options.Elsewhere); nil: they are read in this
	// process. Its error is a *tool.Error, or that of the context.
	Documents func(ctx context.Context, request ...[]byte) ([]byte, error)
	// Recognize returns the text of a picture (see extract.Options.Recognize); nil: none.
	Recognize func(ctx context.Context, picture []byte, language string) ([]string, error)
	// Embed returns the vector of each text, by which passages for a query are ranked
	// beside their words; nil: by words alone.
	Embed func(ctx context.Context, texts []string) ([]meaning.Vector, error)
	// Login returns the login of a site, or that of a saved browser state, which belongs to
	// the caller of the context and is for a page; nil: none. Its error is a *tool.Error.
	Login func(ctx context.Context, name string, page weburl.URL) (*fetch.Login, error)
	// Unchecked reports whether the certificate of a host is not checked; nil: all are.
	Unchecked func(host string) bool
	// Cache keeps what Render gives; nil: nothing does.
	Cache Cache
	// HintStore stores render hints; nil: nothing is stored.
	HintStore HintStore
	// Versions keeps the pages that are read; nil: they are not kept, and
	// Request.Since has nothing to compare with.
	Versions Versions
	// Setting is how notices name a setting, given its variable; nil: by the
	// variable.
	Setting func(variable string) string
	// Timeout is how long a call may take that does not say; 0 means
	// fetch.DefaultTimeout.
	Timeout time.Duration
	// Admit waits until a page of so many bytes may be parsed, and calls work, which
	// parses it. Nil: at once. Its error, for which work is not called, is a *tool.Error.
	Admit func(ctx context.Context, bytes int, work func()) error
}

// Reader answers requests.
type Reader struct {
	o       Options
	memory  memory
	parsing inflight.Group[pageKey, *page.Page]
	backoff backoff
}

// New returns a Reader.
func New(o Options) *Reader {
	switch {
	case o.MaxChars == 0:
		o.MaxChars = defaultMaxChars
	case o.MaxChars < 0:
		o.MaxChars = 0 // as in Request.MaxLength
	}
	if o.Timeout <= 0 {
		o.Timeout = fetch.DefaultTimeout
	}
	if o.Setting == nil {
		o.Setting = func(variable string) string { return variable }
	}
	return &Reader{o: o}
}

// Mode is what is made of a page.
type Mode string

// The modes. The zero value is Markdown.
const (
	Markdown Mode = "markdown"
	Text     Mode = "text"
	HTML     Mode = "html"
	Raw      Mode = "raw"
	Links    Mode = "links"
	Outline  Mode = "outline"
	JSON     Mode = "json" // the content as in Markdown; the surface prints the whole answer
	Data     Mode = "data" // what the page says as data, and its tables, as JSON
	CSV      Mode = "csv"  // its tables
)

// Modes lists the modes in the order in which they are documented.
var Modes = [...]Mode{Markdown, Text, HTML, Raw, Links, Outline, JSON, Data, CSV}

// Request is one URL and one purpose. The fields with a tag arg are the arguments of a
// fetch: the tag declares the argument once for every surface, see package readargs.
type Request struct {
	URL weburl.URL

	Mode Mode `arg:"mode" doc:"what to return" enum:"markdown,text,html,raw,links,outline,json,data,csv" default:"markdown" alias:"extractMode,format" synonyms:"readability=markdown" flagalias:"format"`
	// Query asks for passages within the window, which then begins nowhere else than at
	// the top.
	Query string `arg:"query" doc:"return the passages that match this best, in page order" help:"Print only the passages that match this best, in page order." placeholder:"TEXT"`
	// Prompt is answered by the configured model, else by Model, the caller's own. Where
	// there is neither it is a Query, and the answer says so.
	Prompt string `arg:"prompt" doc:"a question about the page for a language model" help:"Have the model of WEB_MODEL answer this from the page; several URLs are answered once." placeholder:"TEXT" is:"network"`
	// Schema is that of the answer to Prompt. Where each of its values has an x-selector,
	// they are read from the page without a model and without a Prompt.
	Schema json.RawMessage `arg:"schema" doc:"JSON Schema of the answer to prompt, or with x-selectors" help:"File with a JSON Schema for the answer to --prompt, or with an x-selector for each value; - reads stdin." placeholder:"FILE"`
	// JQ filters the JSON that the URL serves, or the data of a page as Data has them.
	JQ string `arg:"jq" doc:"jq filter over the JSON that the URL serves, or over mode=data of a page" help:"Print the results of this jq filter over the JSON that the URL serves, or over the data of a page." placeholder:"FILTER" is:"network,rare"`
	// Sections are IDs of the outline, or anchors. Where there are none, the fragment of
	// the URL says at which section the window begins.
	Sections    []string `arg:"section" doc:"read only these sections: IDs from mode=outline" help:"Read only this section: an ID of --mode outline, or an anchor; can be repeated." placeholder:"ID"`
	Selector    string   `arg:"selector" doc:"CSS selector: read only what matches" help:"Read only what matches this CSS selector." placeholder:"CSS"`
	MustContain string   `arg:"must_contain" doc:"return whether this text is on the page, and where" help:"Say whether this text is on the page, and where, instead of printing the page." placeholder:"TEXT"`
	// Since names a version of the page, or Last.
	Since string `arg:"since" doc:"last, or a version: answer with what has changed after it" help:"Print what has changed after this version of the page; last means the newest stored version." placeholder:"VERSION" is:"network"`
	// MaxLength is nil for the reader's window, 0 for none.
	MaxLength *int `arg:"max_length" doc:"characters; 0 for all" min:"0" nolimit:"0" help:"Print at most this many characters of content; 0 prints all. Default: WEB_MAX_CONTENT_CHARS; for a file, all." placeholder:"N" is:"length"`
	// Window is the window of the caller's surface where MaxLength is nil; 0: the reader's.
	Window int
	// MaxTokens limits the window further, by estimate; 0 means no limit.
	MaxTokens int `arg:"max_tokens" doc:"tokens, by estimate" min:"1" nolimit:"omit" help:"Print at most this many tokens of content (an estimate)." placeholder:"N" is:"length"`
	// Brief ends the passages for a query before that, where they very likely hold the answer.
	Brief bool
	// StartIndex counts characters of the complete content.
	StartIndex int      `arg:"start_index" doc:"character to start at" min:"0" default:"0" help:"Begin at this character of the content, to read on." alias:"offset" placeholder:"N"`
	Exclude    []string `arg:"exclude" doc:"CSS selectors: leave out what matches" help:"Leave out what matches this CSS selector; can be repeated." placeholder:"CSS" is:"rare,whole"`
	// Remove names kinds of content, see Removals.
	Remove []string `arg:"remove" doc:"leave out these: consent, overlays, comments, links, images" placeholder:"KIND" is:"rare"`
	// Links "" is "inline".
	Links string `arg:"links" doc:"references: numbers in the text, and the URLs at its end" enum:"inline,references" default:"inline" help:"Links in Markdown: ${enum}. references writes numbers in the text and the URLs at its end." is:"rare"`
	// Comments "" is "auto".
	Comments string `arg:"comments" doc:"readers' comments; auto leaves them out on articles" enum:"auto,always,never" default:"auto" help:"Readers' comments: ${enum}. auto leaves them out on articles." is:"rare"`
	// Images keeps pictures as ![alt](src) instead of [image: alt].
	Images bool `arg:"images" flag:"no-images" doc:"keep the URLs of pictures" default:"false" help:"Write [image: alt] instead of URLs of pictures." is:"rare,not"`
	Whole  bool `arg:"whole" doc:"read the whole body instead of the main content" is:"rare"`
	// Render "" is RenderAuto.
	Render string `arg:"render" doc:"run scripts in a browser; auto where content seems to be missing" enum:"auto,never,always" default:"auto" help:"Run the page's scripts in a browser: ${enum}. auto does where content seems to be missing without them." is:"network"`
	// WaitFor is a CSS selector if it has ".", "#", "[", ":" or ">". It implies
	// RenderAlways; empty: the page is read when it has come to rest.
	WaitFor string `arg:"wait_for" flag:"wait-for" doc:"text or CSS selector to wait for; runs scripts" help:"Run the page's scripts and wait for this text or CSS selector." placeholder:"TEXT" is:"network"`
	// Scroll ends after 30 screens or 2,000 records. It implies RenderAlways.
	Scroll bool `arg:"scroll" doc:"scroll to the end of the page in a browser, at most 30 screens, for lists that grow" default:"false" help:"Run the page's scripts and scroll until nothing new comes, at most 30 screens." is:"network,rare"`
	// Login names a site that a person has signed in to: the page is read with what the
	// browser was given there. It does not go with Auth.
	Login string `arg:"login" doc:"site of a saved login, or name of a saved browser_state, to read with" help:"Read with the login of this site, which spyhop login has saved, or with the browser state of this name; only for URLs of its sites." placeholder:"SITE" is:"network,stored"`
	// Timeout bounds the call with all that is done for it, also in a browser and by a
	// model; 0 means that of Options. CallerSetsTimeout says that the caller chooses it:
	// where the time was too short, the hint says that more helps.
	Timeout           time.Duration `arg:"timeout_ms" flag:"timeout" doc:"give up after this many milliseconds; 0 is the default" unit:"1ms" min:"1" max:"120000" help:"Give up after this time, for example 10s; at most 2m." placeholder:"DURATION" is:"network,rare,clamped"`
	CallerSetsTimeout bool
	// MaxAge is how old a stored response may be; nil means the cache's own time.
	MaxAge *time.Duration `arg:"max_age" doc:"accept a stored copy of at most this many seconds" unit:"1s" min:"0" nolimit:"max" help:"Accept a stored copy of at most this age, for example 1h; 0 asks the site for changes. Default: WEB_CACHE_TTL." placeholder:"DURATION" is:"network,rare"`
	Fresh  bool           `arg:"fresh" doc:"request the page again" default:"false" is:"network"`
	// Header may have any header: who lets a model set some has chosen which.
	Header map[string]string `arg:"headers" flag:"header" doc:"Accept, Accept-Language, If-None-Match, If-Modified-Since or Referer" help:"Further request header; can be repeated." placeholder:"NAME:VALUE" is:"network,rare,whole"`

	// Model is the caller's own, see Prompt.
	Model tool.Model
	// Titles keeps the titles of links and pictures.
	Titles bool
	// NoFragment reads from the top whatever the fragment says.
	NoFragment bool
	// Follow follows redirects to other hosts instead of reporting them.
	Follow bool
	Auth   *fetch.Auth
	// Jar contains the cookies that servers have set in earlier calls of one crawl; nil: this
	// call has its own. NoCookies sends back none.
	Jar       *fetch.Jar
	NoCookies bool
	// Notices are what the surface has to say about the request, for example a
	// number that was clamped. They come first in the answer's.
	Notices []string
}

// Auth makes credentials of what callers write; nil where all is empty.
func Auth(username, password, bearer, cookie string) (*fetch.Auth, error) {
	if username == "" && password == "" && bearer == "" && cookie == "" {
		return nil, nil
	}
	a := &fetch.Auth{Username: username, Password: password, Bearer: bearer}
	if cookie != "" {
		var err error
		if a.Cookies, err = http.ParseCookie(cookie); err != nil {
			// The cause would show the cookie.
			return nil, tool.NewError(tool.InvalidInput, "the cookie cannot be sent", "write it as name=value; name=value")
		}
	}
	return a, nil
}

// address is the URL as messages show it.
func (q *Request) address() string { return q.URL.WithoutUserinfo().String() }

// Address reads an address as a person or a model writes it, without its
// tracking parameters. The error is a *tool.Error.
func Address(raw string) (weburl.URL, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(raw))
	if err != nil {
		return u, urlError(raw, err)
	}
	u, _ = u.Clean()
	return u, nil
}
