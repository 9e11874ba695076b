package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// sample is one page of WCXB with its ground truth.
type sample struct {
	id, address, kind string
	content           string
	with, without     []string
	meta              metadata
	file              string
	asItCame          bool // the file may be in any charset
}

// loadWCXB reads the ground truth from a folder in the layout of the WCXB
// benchmark; the pages are read later, when they are measured.
func loadWCXB(dir, only string) ([]sample, error) {
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var out []sample
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var t struct {
			URL   string
			Truth struct {
				Title   *string
				Author  *string
				Date    *string `json:"publish_date"`
				Content string  `json:"main_content"`
				With    []string
				Without []string
			} `json:"ground_truth"`
			Internal struct {
				PageType struct{ Primary string } `json:"page_type"`
			} `json:"_internal"`
		}
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		id := strings.TrimSuffix(filepath.Base(f), ".json")
		s := sample{
			id: id, address: t.URL, kind: t.Internal.PageType.Primary, content: t.Truth.Content,
			with: t.Truth.With, without: t.Truth.Without,
			meta: metadata{deref(t.Truth.Title), deref(t.Truth.Author), deref(t.Truth.Date)},
			file: filepath.Join(dir, "html", id+".html.gz"),
		}
		switch s.kind {
		case "":
			s.kind = "article"
		case "category":
			s.kind = "collection"
		}
		if only == "" || only == s.kind {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no pages in %s: name the folder that holds ground-truth and html with --data", dir)
	}
	return out, nil
}

// segmentPage is one page of the segments corpus.
type segmentPage struct {
	ID      string
	URL     string
	With    []string
	Without []string
	file    string
}

// sample is the page without its segments. Of some pages only the host is known.
func (p *segmentPage) sample() sample {
	address := p.URL
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	return sample{id: p.ID, address: address, file: p.file, asItCame: true}
}

func loadSegments(dir string) ([]segmentPage, error) {
	f, err := os.Open(filepath.Join(dir, "items.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []segmentPage
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var p segmentPage
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, err
		}
		p.file = filepath.Join(dir, "html", p.ID+".html.gz")
		out = append(out, p)
	}
	return out, lines.Err()
}

// readPage decompresses a page and, unless it is UTF-8, converts it from the
// charset that it declares. All tools get the same bytes.
func readPage(file string) ([]byte, error) {
	raw, err := unzip(file)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(raw, []byte{0xEF, 0xBF, 0xBD}) && !validUTF8(raw) {
		if e, name, _ := charset.DetermineEncoding(raw, "text/html"); name != "utf-8" {
			if u, err := e.NewDecoder().Bytes(raw); err == nil {
				raw = u
			}
		}
	}
	return bytes.ToValidUTF8(raw, []byte("\uFFFD")), nil
}

func unzip(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return raw, nil
}

// validUTF8 reports whether a page is UTF-8, except for a few broken bytes.
func validUTF8(b []byte) bool {
	return bytes.Count(bytes.ToValidUTF8(b, []byte{0}), []byte{0}) <= 2
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
