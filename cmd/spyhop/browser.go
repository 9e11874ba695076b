package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The browser commands call the browser tools, so people and models get the
// same output.

type snapshotCmd struct {
	URL       string `arg:"" help:"URL to open; https:// is added if it has no scheme."`
	MaxTokens int    `min:"0" help:"Maximum number of tokens (an estimate); 0 prints the whole page." default:"0" placeholder:"N"`
	Wait      string `help:"Event to wait for: load, domcontentloaded, networkidle or commit." default:"load" placeholder:"EVENT"`
}

func (c *snapshotCmd) run(s *session, client *spyhop.Client) error {
	where, err := s.browserCall(client, c.URL, "navigate_to_url", map[string]any{"url": c.URL, "wait_until": c.Wait})
	if err != nil {
		return err
	}
	most := c.MaxTokens
	if most <= 0 {
		most = 1 << 30
	}
	r, err := s.browserCall(client, c.URL, "browser_snapshot", map[string]any{"max_tokens": most})
	if err != nil {
		return err
	}
	if s.printed(r.Data) {
		return nil
	}
	page, ok := r.Data.(result.BrowserPage)
	if !ok {
		return fmt.Errorf("a tool answered with %T", r.Data)
	}
	s.content(page.Text)
	s.screen.fact("url", page.URL)
	s.screen.fact("title", page.Title)
	if opened, ok := where.Data.(result.BrowserPage); ok {
		s.screen.facts("notice", opened.Notices)
	}
	return nil
}

type screenshotCmd struct {
	URL      string `arg:"" help:"URL to open; https:// is added if it has no scheme."`
	Output   string `short:"o" help:"File to write. Default: a new file in the captures folder." placeholder:"FILE" type:"path"`
	FullPage bool   `help:"Capture the whole page instead of the window."`
	Marks    bool   `help:"Draw the refs of a snapshot into the picture."`
	Format   string `help:"Format of the picture: png, jpeg or webp. Default: by the name of the file, else png." placeholder:"FORMAT"`
}

func (c *screenshotCmd) run(s *session, client *spyhop.Client) error {
	format, err := pictureFormat(c.Output, c.Format)
	if err != nil {
		return err
	}
	return s.capture(client, c.URL, c.Output, "take_web_screenshot", map[string]any{"url": c.URL, "full_page": c.FullPage, "marks": c.Marks, "format": format})
}

// pictureFormat is the format of a picture by the name of its file, unless --format names it.
func pictureFormat(output, format string) (string, error) {
	named, ok := map[string]string{"": "", ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}[strings.ToLower(filepath.Ext(output))]
	switch {
	case !ok:
		return "", tool.NewError(tool.InvalidInput, "a picture cannot be written as "+text.Path(output), "use a name that ends in .png, .jpg or .webp")
	case format != "" && named != "" && named != format:
		return "", tool.NewError(tool.InvalidInput, "--format "+text.Name(format)+" does not fit the name "+text.Path(output), "leave --format out, or use another name")
	}
	return cmp.Or(format, named, "png"), nil
}

// isPDFName refuses the name of a file of another format.
func isPDFName(output string) error {
	if end := strings.ToLower(filepath.Ext(output)); end != "" && end != ".pdf" {
		return tool.NewError(tool.InvalidInput, "a PDF cannot be written as "+text.Path(output), "use a name that ends in .pdf")
	}
	return nil
}

type pdfCmd struct {
	URL    string `arg:"" help:"URL to open; https:// is added if it has no scheme."`
	Output string `short:"o" help:"File to write. Default: a new file in the captures folder." placeholder:"FILE" type:"path"`
}

func (c *pdfCmd) run(s *session, client *spyhop.Client) error {
	if err := isPDFName(c.Output); err != nil {
		return err
	}
	return s.capture(client, c.URL, c.Output, "save_page_as_pdf", map[string]any{"url": c.URL})
}

// capture calls a tool that writes a file, and moves the file to output unless
// output is empty.
func (s *session) capture(client *spyhop.Client, url, output, name string, args map[string]any) error {
	r, err := s.browserCall(client, url, name, args)
	if err != nil {
		return err
	}
	answer := backgroundAnswer{Text: r.File}
	if answer.Object, err = r.Object(); err == nil && output != "" {
		err = answer.save(output)
	}
	if err != nil {
		return err
	}
	if s.printed(answer.Object) {
		return nil
	}
	s.content(answer.Text)
	return nil
}

// browserCall calls a tool of the browser about a page.
func (s *session) browserCall(client *spyhop.Client, url, name string, args map[string]any) (tool.Result, error) {
	if err := notFiles(url); err != nil {
		return tool.Result{}, err
	}
	data, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, err
	}
	s.screen.start("opening " + url)
	defer s.screen.clear()
	return client.Call(s.ctx, name, data, tool.Options{Caller: "cli", Given: true})
}
