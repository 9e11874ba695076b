package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// saved are the pages that bench/browser measures.
var saved = strings.Split("0140,0425,0526,0567,0647,2951,0673,0663,3010,2913,3058,0690", ",")

// unstable stands for the hash of a page that gives two different snapshots.
const unstable = "unstable"

// snapshots adds the snapshots of the saved pages, served on loopback. Nothing
// else can be reached. Without a browser it adds nothing and says so.
func (r *recorder) snapshots() error {
	if _, err := browser.Find("", false); err != nil {
		fmt.Println("no snapshots:", err)
		return nil
	}
	site := httptest.NewServer(http.HandlerFunc(r.serveSaved))
	defer site.Close()
	for _, id := range saved {
		l := line{subject: "snapshot " + id}
		first, err := r.snapshot(site.URL, id)
		if err != nil {
			return err
		}
		second, err := r.snapshot(site.URL, id)
		if err != nil {
			return err
		}
		if first == second {
			l.hashes = []string{hash(first)}
		} else {
			l.hashes = []string{unstable}
		}
		r.lines = append(r.lines, l)
	}
	return nil
}

func (r *recorder) snapshot(site, id string) (string, error) {
	cmd := r.command("snapshot", "--json", "--quiet", "--max-tokens", "0", site+"/"+id)
	cmd.Env = append(cmd.Env, "WEB_ALLOW_PRIVATE=127.0.0.1", "WEB_DOMAIN_ALLOWLIST=127.0.0.1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("snapshot of %s: %w: %s", id, err, out)
	}
	return strings.ReplaceAll(string(out), site, "SITE"), nil
}

func (r *recorder) serveSaved(w http.ResponseWriter, request *http.Request) {
	f, err := os.Open(filepath.Join(r.data, "html", filepath.Base(request.URL.Path)+".html.gz"))
	if err != nil {
		http.NotFound(w, request)
		return
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.Copy(w, z)
}
