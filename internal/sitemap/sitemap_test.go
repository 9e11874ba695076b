package sitemap_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/sitemap"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"golang.org/x/tools/txtar"
)

func base(t testing.TB) weburl.URL {
	t.Helper()
	u, err := weburl.Parse("https://www.site.org/maps/sitemap.xml")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// written is a file as the cases of testdata write it.
func written(f sitemap.File, err error) string {
	var b strings.Builder
	var e *sitemap.Error
	switch {
	case errors.As(err, &e):
		return "error: " + e.Error() + "\n"
	case errors.Is(err, sitemap.ErrEmpty):
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	fmt.Fprintf(&b, "%s\n", f.Kind)
	for _, l := range f.Links {
		b.WriteString("- " + l.URL.String())
		if !l.Modified.IsZero() {
			b.WriteString(" (" + l.Modified.Format("2006-01-02T15:04Z") + ")")
		}
		if l.Title != "" {
			b.WriteString(" — " + l.Title)
		}
		b.WriteByte('\n')
	}
	if f.Unusable > 0 {
		fmt.Fprintf(&b, "unusable: %d\n", f.Unusable)
	}
	if f.Incomplete != "" {
		fmt.Fprintf(&b, "incomplete: %s\n", f.Incomplete)
	}
	return b.String()
}

// Each case of testdata has a file and what it says; with -update in the
// environment variable SPYHOP_UPDATE, the latter is written.
func TestFiles(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 2 {
				t.Fatalf("%s has %d files, want the input and what it says", name, len(a.Files))
			}
			got := written(sitemap.Parse(a.Files[0].Data, base(t), 0, nil))
			if os.Getenv("SPYHOP_UPDATE") != "" {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(a.Files[1].Data); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString("<urlset>")
	for i := range 1000 {
		fmt.Fprintf(&b, "<url><loc>/p/%d</loc></url>", i)
	}
	b.WriteString("</urlset>")
	f, err := sitemap.Parse([]byte(b.String()), base(t), 10, nil)
	if err != nil || len(f.Links) != 10 || f.Incomplete != "the first 10 URLs were read" {
		t.Errorf("%d links, %q, %v", len(f.Links), f.Incomplete, err)
	}
}

// A token without an end, an address without an end and a tag with ten thousand
// attributes cost memory in proportion to a token, and say so.
func TestHostileMarkup(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	for name, body := range map[string]string{
		"long tag":     "<urlset><url><loc>/a</loc></url><url " + big + "='1'>",
		"long text":    "<urlset><url><loc>/a</loc></url><url><loc>/" + big + "</loc></url>",
		"long comment": "<urlset><url><loc>/a</loc></url><!-- " + big,
	} {
		f, err := sitemap.Parse([]byte(body), base(t), 0, nil)
		if err != nil || len(f.Links) != 1 || f.Incomplete == "" {
			t.Errorf("%s: %d links, incomplete %q, %v", name, len(f.Links), f.Incomplete, err)
		}
	}
	long := "<urlset><url><loc>/" + strings.Repeat("y", 20<<10) + "</loc></url><url><loc>/b</loc></url></urlset>"
	f, err := sitemap.Parse([]byte(long), base(t), 0, nil)
	if err != nil || len(f.Links) != 1 || f.Unusable != 1 {
		t.Errorf("a long address: %d links, %d unusable, %v", len(f.Links), f.Unusable, err)
	}
}

func zipped(plain []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(plain)
	w.Close()
	return b.Bytes()
}

func TestDecompress(t *testing.T) {
	plain := []byte("<urlset><url><loc>/a</loc></url></urlset>")
	whole := zipped(plain)
	bomb := zipped(make([]byte, 8<<20))
	for _, c := range []struct {
		name             string
		body             []byte
		want, incomplete string
		fails            bool
	}{
		{"plain", plain, string(plain), "", false},
		{"gzip", whole, string(plain), "", false},
		{"cut", zipped(bytes.Repeat(plain, 1000))[:150], "", "the compressed file breaks off", false},
		{"no body", whole[:6], "", "", true},
		{"garbage", []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, "", "", true},
		{"bomb", bomb, "", "the first 1 MiB were read", false},
	} {
		got, incomplete, err := sitemap.Decompress(c.body, 1<<20)
		if incomplete != c.incomplete || (err != nil) != c.fails || len(got) > 1<<20 || c.want != "" && string(got) != c.want {
			t.Errorf("%s: %d bytes, %q, %v", c.name, len(got), incomplete, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	cases, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range cases {
		if a, err := txtar.ParseFile(name); err == nil {
			f.Add(a.Files[0].Data)
		}
	}
	at := base(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		file, err := sitemap.Parse(body, at, 20, nil)
		if len(file.Links) > 20 {
			t.Fatal("more links than the limit")
		}
		if err == nil && (file.Kind == 0 || len(file.Links) == 0) {
			t.Fatal("success without a kind or links")
		}
		seen := map[string]bool{}
		for _, l := range file.Links {
			s := l.URL.String()
			if seen[s] || l.URL.IsZero() || l.URL.HasUserinfo() || strings.ContainsAny(l.Title, "\n\x1b") {
				t.Fatalf("bad link %q %q", s, l.Title)
			}
			seen[s] = true
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var s strings.Builder
	s.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range 50_000 {
		fmt.Fprintf(&s, "<url><loc>https://www.site.org/section/%d/page-%d.html</loc><lastmod>2026-01-02</lastmod><priority>0.5</priority></url>\n", i%97, i)
	}
	s.WriteString("</urlset>")
	body := []byte(s.String())
	at := base(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if f, err := sitemap.Parse(body, at, 0, nil); err != nil || len(f.Links) != 50_000 {
			b.Fatal(len(f.Links), err)
		}
	}
}

// TestStop: a file that is stopped has what was read until then, and says that it is not all.
func TestStop(t *testing.T) {
	over := errors.New("over")
	for name, body := range map[string]string{
		"sitemap":  "<urlset>" + strings.Repeat("<url><loc>/a</loc></url>", 10_000),
		"list":     "https://example.com/a\n" + strings.Repeat("https://example.com/b\n", 10_000),
		"llms.txt": "# a\n[b](/c)\n" + strings.Repeat("[b](c\n", 10_000),
	} {
		asked := 0
		f, err := sitemap.Parse([]byte(body), base(t), 0, func() error {
			if asked++; asked > 2 {
				return over
			}
			return nil
		})
		if err != nil || len(f.Links) == 0 || !strings.Contains(f.Incomplete, "time") || asked > 5 {
			t.Errorf("%s: %d links, %q, %v, asked %d times", name, len(f.Links), f.Incomplete, err, asked)
		}
	}
}

// TestLinksWithoutEnds: addresses without an end cost no more than others; one that ends is read.
func TestLinksWithoutEnds(t *testing.T) {
	body := "# a\n[b](/c)" + strings.Repeat("[d](e", 4<<20/5) + "\n[f](/g)\n"
	f, err := sitemap.Parse([]byte(body), base(t), 0, nil)
	if err != nil || len(f.Links) != 2 || f.Unusable != 4<<20/5 {
		t.Errorf("%d links, %d unusable, %v", len(f.Links), f.Unusable, err)
	}
}
