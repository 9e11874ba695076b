package main

import (
	"fmt"
	"net/http/httptest"
	"os/exec"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// starts measures the time from the start of a server to its first page.
func starts(program, peer string, n int) error {
	if program == "" {
		return nil
	}
	site := httptest.NewServer(corpus(""))
	defer site.Close()
	path, err := browser.Find("", false)
	if err != nil {
		return err
	}
	served := func(open func() (*server, error)) func() error {
		return func() error {
			s, err := open()
			if err != nil {
				return err
			}
			defer s.close()
			return s.navigate(site.URL + "/small")
		}
	}
	ways := []struct {
		name string
		run  func() error
	}{
		{"spyhop", served(func() (*server, error) { return newSpyhop(program) })},
		{"playwright", served(func() (*server, error) { return newPlaywright(peer) })},
		{"the browser alone", func() error {
			return exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", site.URL+"/small").Run()
		}},
	}
	if peer == "" {
		ways = slices.Delete(ways, 1, 2)
	}
	times := make([][]int, len(ways))
	for range n {
		for i, w := range ways {
			start := time.Now()
			if err := w.run(); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			times[i] = append(times[i], int(time.Since(start).Milliseconds()))
		}
	}
	for i, w := range ways {
		fmt.Printf("%s: start to first page, median of %d: %d ms, from %d to %d\n", w.name, n, median(times[i]), slices.Min(times[i]), slices.Max(times[i]))
	}
	return nil
}
