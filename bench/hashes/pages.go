package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// formats are the runs of "extract --batch", in the order of the hashes on the
// line of a page.
var formats = []struct {
	name string
	args []string
}{
	{"markdown", []string{"--format", "markdown"}},
	{"text", []string{"--format", "text"}},
	{"html", []string{"--format", "html"}},
	{"json", []string{"--format", "json"}},
	{"outline", []string{"--format", "outline"}},
	{"whole", []string{"--format", "markdown", "--whole"}},
}

// pages adds a line for each page of the corpus.
func (r *recorder) pages() error {
	manifest, ids, err := r.manifest()
	if err != nil {
		return err
	}
	outputs := make(map[string][]string)
	for _, f := range formats {
		if err := r.batch(manifest, f.args, outputs); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if n := len(outputs[id]); n != len(formats) {
			return fmt.Errorf("page %s has %d of %d outputs", id, n, len(formats))
		}
		r.add("page "+id, outputs[id]...)
	}
	return nil
}

// manifest writes the manifest of all pages of the corpus, with the address
// that the truth of a page names.
func (r *recorder) manifest() (path string, ids []string, err error) {
	files, err := filepath.Glob(filepath.Join(r.data, "html", "*.html.gz"))
	if err != nil {
		return "", nil, err
	}
	if len(files) == 0 {
		return "", nil, fmt.Errorf("no pages in %q: name the folder of the corpus, which holds html, with --data", r.data)
	}
	slices.Sort(files)
	var rows bytes.Buffer
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".html.gz")
		raw, err := os.ReadFile(filepath.Join(r.data, "ground-truth", id+".json"))
		if err != nil {
			return "", nil, err
		}
		var truth struct{ URL string }
		if err := json.Unmarshal(raw, &truth); err != nil {
			return "", nil, fmt.Errorf("the truth of %s: %w", id, err)
		}
		row, err := json.Marshal(map[string]string{"id": id, "url": truth.URL, "path": file})
		if err != nil {
			return "", nil, err
		}
		rows.Write(append(row, '\n'))
		ids = append(ids, id)
	}
	path = filepath.Join(r.home, "manifest.jsonl")
	return path, ids, os.WriteFile(path, rows.Bytes(), 0o600)
}

// batch runs one format over the manifest and appends the output of each page,
// without its times.
func (r *recorder) batch(manifest string, args []string, outputs map[string][]string) error {
	out, err := r.output(append([]string{"extract", "--batch", manifest}, args...)...)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var row map[string]json.RawMessage
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return fmt.Errorf("extract --batch printed what is not a row: %w", err)
		}
		var id string
		if err := json.Unmarshal(row["id"], &id); err != nil {
			return err
		}
		delete(row, "ms")
		delete(row, "cpu_ms")
		stable, err := json.Marshal(row) // by key
		if err != nil {
			return err
		}
		outputs[id] = append(outputs[id], string(stable))
	}
	return lines.Err()
}
