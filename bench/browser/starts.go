package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// peers are the paths of other tools; empty: do not measure them.
type peers struct{ playwright, agentBrowser string }

// starts measures the time from the start of a tool to its first page. The tools take turns, so
// that other load on the machine meets all of them.
func starts(program string, other peers, n int) error {
	if program == "" {
		return nil
	}
	site := httptest.NewServer(corpus(""))
	defer site.Close()
	path, err := browser.Find("", false)
	if err != nil {
		return err
	}
	// A way opens the page, and returns what ends the tool.
	type way func() (stop func(), err error)
	served := func(open func() (*server, error)) way {
		return func() (func(), error) {
			s, err := open()
			if err != nil {
				return nil, err
			}
			return s.close, s.navigate(site.URL + "/small")
		}
	}
	home, err := os.MkdirTemp("", "browser-starts-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	agentBrowser := func(args ...string) error {
		cmd := exec.Command(other.agentBrowser, args...)
		cmd.Env = append(os.Environ(), "HOME="+home, "AGENT_BROWSER_SESSION=bench", "AGENT_BROWSER_EXECUTABLE_PATH="+path, "AGENT_BROWSER_ARGS=--no-sandbox")
		return cmd.Run()
	}
	names, ways := []string{"spyhop"}, []way{served(func() (*server, error) { return newSpyhop(program) })}
	add := func(name string, w way) { names, ways = append(names, name), append(ways, w) }
	if other.playwright != "" {
		add("playwright", served(func() (*server, error) { return newPlaywright(other.playwright) }))
	}
	if other.agentBrowser != "" {
		add("agent-browser", func() (func(), error) {
			return func() { _ = agentBrowser("close") }, agentBrowser("open", site.URL+"/small")
		})
	}
	add("the browser alone", func() (func(), error) {
		return nil, exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", site.URL+"/small").Run()
	})
	times := make([][]int, len(ways))
	for range n {
		for i, open := range ways {
			start := time.Now()
			stop, err := open()
			times[i] = append(times[i], int(time.Since(start).Milliseconds()))
			if stop != nil {
				stop()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", names[i], err)
			}
		}
	}
	for i, name := range names {
		fmt.Printf("%s: start to first page, median of %d: %d ms, from %d to %d\n", name, n, median(times[i]), slices.Min(times[i]), slices.Max(times[i]))
	}
	return nil
}
