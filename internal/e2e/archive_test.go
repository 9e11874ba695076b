package e2e_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestArchive records a crawl, and answers fetch, map, crawl and recall from the
// archive while the site is gone.
func TestArchive(t *testing.T) {
	requests := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Header().Set("Content-Type", "text/html")
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "hush-cookie"})
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, `<title>Home</title><main><h1>Home</h1><p>%s</p><p><a href="/ferry">ferry</a> <a href="/fog">fog</a></p></main>`, strings.Repeat("Welcome to the harbour. ", 20))
		case "/ferry", "/fog", "/private":
			fmt.Fprintf(w, `<title>%[1]s</title><main><h1>%[1]s</h1><p>%[2]s</p></main>`, r.URL.Path[1:], strings.Repeat("The "+r.URL.Path[1:]+" left the quay at nine. ", 20))
		default:
			http.NotFound(w, r)
		}
	}))
	file := filepath.Join(t.TempDir(), "site.warc.gz")
	home := site.URL + "/"
	config := spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(site.URL, "http://")}, HostRate: spyhop.NoLimit, DataDir: t.TempDir()}
	open := func(c spyhop.Config) *spyhop.Client {
		t.Helper()
		client, err := spyhop.New(c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		return client
	}
	// What is cached already is read again for the archive.
	if _, err := open(config).Fetch(t.Context(), spyhop.FetchRequest{URL: home}); err != nil {
		t.Fatal(err)
	}
	recording := config
	recording.Record = file
	client := open(recording)
	c, err := client.Crawl(t.Context(), spyhop.CrawlRequest{URLs: []string{home}})
	if err != nil || c.Read != 3 {
		t.Fatalf("crawl %+v, %v", c, err)
	}
	if _, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: site.URL + "/private", Bearer: "hush-token"}); err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	site.Close()
	before := requests

	replaying := config
	replaying.Replay = file
	// Recall reads the archive by itself, also from one whose pages nobody has asked for.
	fresh := replaying
	fresh.DataDir = t.TempDir()
	for range 2 { // the second client finds the versions of the first
		r, err := open(fresh).Recall(t.Context(), spyhop.RecallRequest{Query: "fog left the quay"})
		if err != nil || len(r.Pages) == 0 || r.Pages[0].URL != site.URL+"/fog" || r.Searched != 3 || len(r.Notices) > 0 {
			t.Errorf("recall of an archive that was not read before: %+v, %v", r, err)
		}
	}
	inside := fresh
	inside.AllowPrivate, inside.DataDir = nil, t.TempDir()
	if r, err := open(inside).Recall(t.Context(), spyhop.RecallRequest{Query: "fog"}); err == nil {
		t.Errorf("recall of pages that the policy refuses: %+v", r)
	}
	client = open(replaying)
	f, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: site.URL + "/ferry"})
	if err != nil || !strings.Contains(f.Markdown, "The ferry left the quay") {
		t.Fatalf("fetch %+v, %v", f, err)
	}
	if m, err := client.Map(t.Context(), spyhop.MapRequest{URL: home}); err != nil || len(m.Links) < 2 {
		t.Errorf("map %+v, %v", m, err)
	}
	if c, err := client.Crawl(t.Context(), spyhop.CrawlRequest{URLs: []string{home}}); err != nil || c.Read != 3 || c.Failures != 0 {
		t.Errorf("crawl %+v, %v", c, err)
	}
	if r, err := client.Recall(t.Context(), spyhop.RecallRequest{Query: "fog left the quay"}); err != nil || len(r.Pages) == 0 {
		t.Errorf("recall %+v, %v", r, err)
	}
	var e *spyhop.Error
	for _, path := range []string{"/private", "/never"} {
		if _, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: site.URL + path}); !errors.As(err, &e) || e.Type != tool.Blocked || !strings.Contains(err.Error(), "does not hold") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if requests != before {
		t.Errorf("%d requests during the replay", requests-before)
	}
	// The policy of today judges what an archive holds.
	strict := replaying
	strict.AllowPrivate, strict.DataDir = nil, t.TempDir()
	if _, err := open(strict).Fetch(t.Context(), spyhop.FetchRequest{URL: site.URL + "/ferry"}); !errors.As(err, &e) || e.Type != tool.Blocked || strings.Contains(err.Error(), "does not hold") {
		t.Errorf("a private address of the archive: %v", err)
	}
	if _, err := spyhop.New(spyhop.Config{Record: file, Replay: file}); err == nil {
		t.Error("an archive is recorded and replayed at once")
	}
	if b, _ := os.ReadFile(file); len(b) == 0 || strings.Contains(string(b), "hush") {
		t.Error("the archive is empty, or holds a secret")
	}
}
