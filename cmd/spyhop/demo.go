package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type demoCmd struct {
	Keep bool `help:"Serve the site until Ctrl-C, to try the other commands on it."`
}

// demoStep is a call of this command on the site, and what has to come of it.
type demoStep struct {
	args  []string
	stdin string
	exit  int      // anyFailure: every status but done and blocked
	want  []string // is in what the call prints
	never []string // is not
	about string   // what the step shows; "": the lines with what is wanted
}

const anyFailure = -1

type demoChapter struct {
	title string
	steps []demoStep
}

// demo is the state of a run: it counts steps and results.
type demo struct {
	*session
	settings []string // flags of each call
	steps    int
	wrong    int
	kept     int // phrases of content that were kept
	left     int // phrases of boilerplate that were dropped
	denied   int // calls that the policy blocked
}

func (c *demoCmd) run(s *session) error {
	site, err := demosite.Start()
	if err != nil {
		return err
	}
	defer site.Close()
	if c.Keep {
		return keep(s, site)
	}
	settings, err := s.settings()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "spyhop-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	d := newDemo(s, site, dir)
	if b := settings.Values.Browser; b != "" {
		d.settings = append(d.settings, "--web-browser", b)
	}
	for _, c := range demoChapters(site) {
		if d.steps > 0 {
			fmt.Fprintln(d.stdout)
		}
		fmt.Fprintln(d.stdout, d.screen.paintOut(bold, c.title))
		for _, step := range c.steps {
			if d.step(step); s.ctx.Err() != nil {
				return s.ctx.Err()
			}
		}
	}
	fmt.Fprintf(d.stdout, "\n%s\n", d.screen.paintOut(bold, "Summary"))
	fmt.Fprintf(d.stdout, "  %d steps in %.1f s, %d wrong\n", d.steps, time.Since(start).Seconds(), d.wrong)
	fmt.Fprintf(d.stdout, "  kept %d phrases of content, dropped %d phrases of boilerplate, blocked %d URLs\n", d.kept, d.left, d.denied)
	fmt.Fprintf(d.stdout, "  spyhop demo --keep serves the site until Ctrl-C\n")
	if d.wrong > 0 {
		return failed(1)
	}
	return nil
}

// newDemo has each call use the site and a folder, and nothing of the user's settings. Only the
// site's own listeners are allowed although they are private; a small limit ends the endless
// page quickly.
func newDemo(s *session, site *demosite.Site, dir string) *demo {
	return &demo{session: s, settings: []string{"--web-allow-private", strings.Join(site.Exceptions(), ","), "--web-data-dir", dir, "--web-max-response-bytes", "262144",
		"--web-host-rate", "1000/s", "--web-search-provider", "searxng", "--searxng-url", site.Home, "--web-model", demosite.ScriptedModel, "--web-model-url", site.Home + demosite.ModelPath}}
}

// demoChapters are the steps, in order.
func demoChapters(site *demosite.Site) []demoChapter {
	fetch := func(path string, flags ...string) []string {
		return slices.Concat([]string{"fetch"}, flags, []string{site.Home + path})
	}
	call := func(path string) []string {
		return []string{"call", "web_fetch", `{"url":"` + site.Home + path + `"}`}
	}
	var pages, encoded []demoStep
	for _, p := range demosite.Pages() {
		if p.Encoding != "" {
			encoded = append(encoded, pageStep(site, p))
		} else {
			pages = append(pages, pageStep(site, p))
		}
	}
	var refused []demoStep
	for _, url := range []string{site.Home + demosite.ToMetadata, site.Home + demosite.ToPrivate, "http://127.0.0.1:1/", "http://[::ffff:10.0.0.1]/", "http://printer.local/", "https://user:password@example.com/"} {
		refused = append(refused, demoStep{args: []string{"fetch", url}, exit: tool.ExitBlocked})
	}
	first := demosite.Pages()[0]
	const board = `{"steps": [
		{"id": "open", "tool": "navigate_to_url", "args": {"url": "BOARD"}},
		{"id": "wait", "tool": "browser_wait_for", "args": {"text": "Add sighting"}},
		{"id": "type", "tool": "browser_type", "args": {"ref": "textbox \"Place\"", "text": "the south pier"}},
		{"id": "click", "tool": "browser_click", "args": {"ref": "button \"Add sighting\""}},
		{"id": "picture", "tool": "take_web_screenshot", "args": {}}]}`
	return []demoChapter{
		{"Pages of every type: the content is kept, boilerplate is dropped", pages},
		{"Old encodings, with and without a declaration", encoded},
		{"Parts and forms of a page", []demoStep{
			{args: fetch("/", "--mode", "links"), want: []string{site.Home + "/documentation", site.Home + "/forum"}},
			{args: fetch("/documentation", "--mode", "outline"), want: []string{"tokens)"}},
			{args: fetch("/documentation", "--query", "depth of the water in metres", "--max-tokens", "120"), want: []string{"| `depth_m` | number |"}},
			{args: fetch("/article", "--max-length", "600"), want: []string{"--start-index"}},
			{args: []string{"browse", site.Home + "/service"}, never: []string{"Error: "}, about: "the Markdown that the tool web_browse returns"},
			{args: call(demosite.MovedAway), want: []string{"The URL redirected to: " + site.Other + "/elsewhere"}},
			{args: call("/article"), want: []string{"<untrusted text"}, about: "for a model, the page is inside a fence that marks it as untrusted and that the page cannot forge"},
		}},
		{"Redirects and errors, and what spyhop says about them", []demoStep{
			{args: fetch(demosite.Moved), want: []string{"url: " + site.Home + "/article"}},
			{args: fetch(demosite.MovedAway), want: []string{"url: " + site.Other + "/elsewhere"}},
			{args: fetch(demosite.Missing), exit: tool.ExitHTTP},
			{args: fetch(demosite.Slow, "--timeout", "300ms"), exit: tool.ExitNetwork},
			{args: fetch(demosite.Loop), exit: anyFailure},
			{args: fetch(demosite.Script), exit: tool.ExitNothing},
			{args: fetch(demosite.Film), exit: tool.ExitNothing},
			{args: fetch(demosite.Endless), want: []string{"verdict: partial"}},
		}},
		{"Addresses that the policy blocks", refused},
		{"Searching: the demo site answers in place of a SearXNG server", []demoStep{
			{args: []string{"search", first.Title}, want: []string{first.Title}, never: []string{"utm_"}},
			{args: []string{"search", "zzyzx"}, want: []string{"results: none"}},
		}},
		{"A crawl of the site, which goes on where it stopped, and a search of what it has fetched", []demoStep{
			{args: []string{"crawl", "--max-pages", "4", "--max-depth", "1", site.Home}, want: []string{"c1: read 4", "page limit reached"}},
			{args: []string{"crawl", "--resume", "c1", "--max-pages", "8"}, want: []string{"c1: read "}},
			{args: []string{"recall", "humpback"}, want: []string{site.Home + "/article"}},
		}},
		{"A browser, for pages that need scripts or clicks", []demoStep{
			{args: []string{"plan", "run", "-"}, stdin: strings.Replace(board, "BOARD", site.Home+demosite.Board, 1), want: []string{"A fin off the south pier, seen just now", "picture: take_web_screenshot"}},
			{args: fetch(demosite.Board, "--render", "always"), want: demosite.Sightings()},
		}},
		{"An agent with a scripted model: the model's turns are fixed texts, the tool calls and checks are real", []demoStep{
			{args: []string{"ask", demosite.ModelQuestion}, want: []string{"web_serch", "Search(humpback)", "404 Not Found", "forty-one meetings", "(unverified)"}},
		}},
	}
}

// pageStep reads a page of which it is known what a correct extraction keeps and drops.
func pageStep(site *demosite.Site, p demosite.Page) demoStep {
	about := fmt.Sprintf("%s: kept %d of %d phrases", p.About, len(p.Keep), len(p.Keep))
	if p.Drop != nil {
		about += fmt.Sprintf(", dropped %d of %d", len(p.Drop), len(p.Drop))
	}
	return demoStep{args: []string{"fetch", site.Home + p.Path}, want: append([]string{p.Title}, p.Keep...), never: p.Drop, about: about}
}

// step makes a call, and prints it and what came of it.
func (d *demo) step(step demoStep) {
	d.steps++
	words := make([]string, len(step.args))
	for i, a := range step.args {
		words[i] = shellWord(a)
	}
	d.line(d.screen.paintOut(green, "●")+" spyhop "+printable(strings.Join(words, " ")), "  ")
	var stdout, stderr bytes.Buffer
	none := func(string) (string, bool) { return "", false }
	status := runIn(none, slices.Concat(step.args, d.settings), strings.NewReader(step.stdin), &stdout, &stderr, d.helper)
	printed := stdout.String() + "\n" + stderr.String()
	if status == tool.ExitBrowserMissing {
		d.line("  └ skipped: "+printable(strings.TrimPrefix(strings.TrimSpace(stderr.String()), "error: ")), "    ")
		return
	}
	if status == tool.ExitBlocked {
		d.denied++
	}
	problem := step.problem(status, printed)
	switch {
	case problem != "":
		d.wrong++
		d.line("    WRONG: "+printable(problem), "    ")
	case step.about != "":
		d.kept, d.left = d.kept+max(len(step.want)-1, 0), d.left+len(step.never)
		d.line("  └ "+printable(step.about), "    ")
	default:
		for line := range strings.Lines(printed) {
			if line = strings.TrimSpace(line); step.shows(line) {
				d.line("  └ "+printable(text.Cut(line, 160)), "    ")
			}
		}
	}
	d.stdout.Flush()
}

// problem is what is wrong with a call; "": nothing.
func (step demoStep) problem(status int, printed string) string {
	missing := slices.DeleteFunc(slices.Clone(step.want), func(w string) bool { return strings.Contains(flat(printed), flat(w)) })
	stayed := slices.DeleteFunc(slices.Clone(step.never), func(w string) bool { return !strings.Contains(flat(printed), w) })
	switch {
	case step.exit == anyFailure && status != tool.ExitDone && status != tool.ExitBlocked:
	case step.exit != status:
		return fmt.Sprintf("exit status %d, want %d: %s", status, step.exit, text.Cut(flat(printed), 500))
	case len(missing) > 0:
		return fmt.Sprintf("missing %q", missing)
	case len(stayed) > 0:
		return fmt.Sprintf("not dropped %q", stayed)
	}
	return ""
}

// shows reports whether a line is what a step is about: an error, or what is wanted.
func (step demoStep) shows(line string) bool {
	if step.exit != tool.ExitDone {
		return strings.HasPrefix(line, "error: ") || strings.HasPrefix(line, "hint: ")
	}
	return slices.ContainsFunc(step.want, func(w string) bool { return strings.Contains(flat(line), flat(w)) })
}

// line writes a line, which fits into a terminal; what goes on begins with indent.
func (d *demo) line(line, indent string) {
	fmt.Fprintln(d.stdout, terminal.Wrap(line, d.screen.columns, indent))
}

// flat removes Markdown marks and line breaks, so that phrases can be compared.
func flat(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "", "\\", "").Replace(s)), " ")
}

// keep serves until Ctrl-C.
func keep(s *session, site *demosite.Site) error {
	fmt.Fprintf(s.stdout, "The site is at %s/ until Ctrl-C. Try:\n\n", site.Home)
	allow := strings.Join(site.Exceptions(), ",")
	fmt.Fprintf(s.stdout, "  export WEB_ALLOW_PRIVATE=%s\n", allow)
	for _, p := range demosite.Pages() {
		fmt.Fprintf(s.stdout, "  spyhop fetch %s%s   # %s\n", site.Home, p.Path, p.About)
	}
	for _, path := range []string{demosite.Moved, demosite.MovedAway, demosite.Missing, demosite.Slow, demosite.Endless, demosite.ToMetadata, demosite.ToPrivate} {
		fmt.Fprintf(s.stdout, "  spyhop fetch %s%s\n", site.Home, path)
	}
	fmt.Fprintf(s.stdout, "  spyhop snapshot %s%s   # a page that needs scripts, in a browser\n", site.Home, demosite.Board)
	if err := s.stdout.Flush(); err != nil {
		return err
	}
	<-s.ctx.Done()
	return nil
}
