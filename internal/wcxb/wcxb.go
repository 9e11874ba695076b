// Package wcxb provides the pages of the WCXB benchmark to tests and benchmarks.
package wcxb

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page is a saved page.
type Page struct {
	HTML []byte // as the site sent it, unpacked

	URL string // where it was; "" unknown

	// Main is the main content, as the people who built the benchmark marked it. It is ""
	// for a page without a truth.
	Main string
}

// Pages reads every step-th page of the folder that SPYHOP_WCXB names, in the order of
// their names. It skips the test if SPYHOP_WCXB is not set.
func Pages(t testing.TB, step int) []Page {
	t.Helper()
	folder := os.Getenv("SPYHOP_WCXB")
	if folder == "" {
		t.Skip("no corpus: set SPYHOP_WCXB")
	}
	files, err := filepath.Glob(filepath.Join(folder, "html", "*.html.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pages in ", folder)
	}
	var all []Page
	for i := 0; i < len(files); i += step {
		p, err := read(folder, files[i])
		if err != nil {
			t.Fatal(files[i], ": ", err)
		}
		all = append(all, p)
	}
	return all
}

func read(folder, file string) (Page, error) {
	f, err := os.Open(file)
	if err != nil {
		return Page{}, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return Page{}, err
	}
	body, err := io.ReadAll(z)
	if err != nil {
		return Page{}, err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".html.gz") + ".json"
	raw, err := os.ReadFile(filepath.Join(folder, "ground-truth", name))
	if os.IsNotExist(err) {
		return Page{HTML: body}, nil
	}
	if err != nil {
		return Page{}, err
	}
	var q struct {
		URL   string `json:"url"`
		Truth struct {
			Main string `json:"main_content"`
		} `json:"ground_truth"`
	}
	err = json.Unmarshal(raw, &q)
	return Page{body, q.URL, q.Truth.Main}, err
}
