package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// hostileRow is a page of a hostile site. Its identifiers are those of the
// project's list of hostile content: T is transport, E encodings, M markup.
// Rows about single bytes of the wire, TLS, HTTP/2, DNS, pace and robots.txt
// are tests of internal/fetch; those about exact depths and tables of
// internal/extract and internal/markdown.
type hostileRow struct {
	id, name    string
	contentType string // empty: text/html; charset=utf-8
	encoding    string
	body        func() []byte // nil: serve writes
	serve       func(http.ResponseWriter)
	want        string // has to be in the content
	not         string // must not be
	fails       string // the error's type instead
}

func hostileRows() []hostileRow {
	rep := strings.Repeat
	const para = "<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in.</p>"
	page := func(s string) func() []byte {
		return func() []byte { return []byte("<!DOCTYPE html><html><body><main>" + para + s + "</main></body></html>") }
	}
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const text = "text/plain; charset=utf-8"
	endless := func(chunk string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			b := []byte(chunk)
			for {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}
	}
	const ferry = "The ferry left the quay"
	return []hostileRow{
		{id: "T1", name: "gzip of 1 GiB", encoding: "gzip", body: func() []byte { return gzipBomb(1 << 30) }, want: "0000"},
		{id: "T1", name: "zstd of 1 GiB", encoding: "zstd", body: func() []byte { return zstdBomb(1 << 30) }, want: "0000"},
		{id: "T2", name: "gzip of gzip of 1 GiB", encoding: "gzip, gzip", body: func() []byte { return gzipOf(gzipBomb(1 << 30)) }, want: "0000"},
		{id: "T5", name: "endless body", serve: endless(rep(para, 1000)), want: ferry},
		{id: "T8", name: "a header of 10 MB", serve: func(w http.ResponseWriter) { w.Header().Set("X-A", rep("a", 10<<20)) }, fails: "TooLarge"},
		{id: "T8", name: "1000 cookies of 1 MB", serve: func(w http.ResponseWriter) {
			for range 100 {
				w.Header().Add("Set-Cookie", "a="+rep("a", 1<<20))
			}
		}, fails: "TooLarge"},
		{id: "T10", name: "a Location of 60 KB", serve: func(w http.ResponseWriter) {
			w.Header().Set("Location", "/"+rep("a", 60<<10))
			w.WriteHeader(302)
		}, fails: "InvalidURL"},
		{id: "T18", name: "text, then 10 MB binary", contentType: text, body: func() []byte {
			return append([]byte(rep("some words\n", 1000)), bytes.Repeat([]byte{0, 1, 2, 255}, 10<<18)...)
		}, want: "some words"},

		{id: "E1", name: "windows-1252 called UTF-8", body: func() []byte { return []byte("<p>caf\xe9 au lait, s'il vous pla\xeet</p>" + para) }, want: "café au lait"},
		{id: "E1", name: "UTF-7 stays what it is", contentType: "text/html; charset=utf-7", body: page("<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>"), not: "<script"},
		{id: "E2", name: "invalid UTF-8", body: page("<p>\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80 end " + rep("\xff", 1<<20) + "</p>"), want: ferry},
		{id: "E3", name: "control characters", body: page("<p>a\x1b[31mb\x07c\x00d\x7fe\u009bf\u2028g\ufeffh</p>"), want: ferry, not: "\x1b"},
		{id: "E4", name: "a million combining marks", body: page("<p>Z" + rep("\u0301", 1_000_000) + " end</p>"), want: "end"},
		{id: "E4", name: "a million joiners, overrides and tags", body: page("<p>x" + rep("\u200d\u202e\U000E0041", 300_000) + " end</p>"), want: "end", not: "\u202e"},
		{id: "E5", name: "a million U+FDFA", body: page("<p>" + rep("\ufdfa", 1_000_000) + " end</p>"), want: "end"},
		{id: "E6", name: "a line of 20 MB", contentType: text, body: func() []byte { return bytes.Repeat([]byte{'x'}, 20<<20) }, want: "xxxx"},
		{id: "E6", name: "five million newlines", contentType: text, body: func() []byte { return []byte("a" + rep("\n", 5_000_000) + "b") }, want: "a"},
		{id: "E6", name: "a million tabs", body: page("<pre>a" + rep("\t", 1_000_000) + "b</pre>"), want: "b"},

		{id: "M1", name: "100,000 deep div", body: page(rep("<div>", 100_000) + "deep"), want: "deep"},
		{id: "M1", name: "100,000 deep mixture", body: page(rep("<b><a href=x><span><blockquote><ul><li><font>", 15_000) + "deep"), want: "deep"},
		{id: "M1", name: "100,000 deep svg, template and select", body: page(rep("<svg><g>", 30_000) + rep("<template>", 30_000) + rep("<select>", 30_000)), want: ferry},
		{id: "M2", name: "513 deep", body: page(rep("<div>", 511) + "deep"), want: "deep"},
		{id: "M3", name: "a million attributes", body: page("<div " + numbered(500_000, "a%d ") + ">word</div>"), want: "word"},
		{id: "M3", name: "an attribute of 50 MB", body: page("<p>word</p><p data-x='" + rep("x", 50<<20) + "'>"), want: "word"},
		{id: "M3", name: "100,000 equal attributes and a million classes", body: page("<p " + rep("a=b ", 100_000) + ">one</p><p class='" + rep("c ", 1_000_000) + "'>word</p>"), want: "one"},
		{id: "M4", name: "ten million siblings", body: page(rep("<i></i>", 10_000_000)), want: ferry},
		{id: "M4", name: "a million line breaks", body: page("<p>a" + rep("<br>", 1_000_000) + "b</p>"), want: ferry},
		{id: "M4", name: "empty links and headings", body: page(rep("<a href=x></a>", 200_000) + rep("<h2>h</h2>", 200_000)), want: ferry},
		{id: "M5", name: "spans of 99,999,999", body: page("<table>" + rep("<tr><td colspan=99999999 rowspan=99999999>word</td><td>x</td></tr>", 1000) + "</table>"), want: "word"},
		{id: "M5", name: "sparse table", body: page("<table><tr>" + rep("<td>x", 10_000) + rep("<tr><td>word", 10_000) + "</table>"), want: ferry},
		{id: "M5", name: "tables 50 deep, 4 MB in a cell", body: page(rep("<table><tr><td>", 50) + rep("word ", 800_000) + "</table>"), want: ferry},
		{id: "M6", name: "lists 10,000 deep", body: page(rep("<ul><li>word", 10_000)), want: "word"},
		{id: "M7", name: "quotations 10,000 deep", body: page(rep("<blockquote>word", 10_000)), want: "word"},
		{id: "M8", name: "formatting that reopens", body: page(rep("<b><i><p><u>x", 50_000) + rep("<table><b><tr>y", 50_000)), want: ferry},
		{id: "M9", name: "a storm of entities", body: page("<p>" + rep("&amp;&notit;&#x41;&#99999999999;", 150_000) + "</p>"), want: ferry},
		{id: "M9", name: "a storm of ampersands", body: page("<p>" + rep("&", 4<<20) + "</p>"), want: ferry},
		{id: "M9", name: "a billion laughs", contentType: "application/xhtml+xml", body: func() []byte {
			s := `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "ha">`
			for c := 'b'; c < 'm'; c++ {
				s += fmt.Sprintf(`<!ENTITY %c "%s">`, c, rep(fmt.Sprintf("&%c;", c-1), 10))
			}
			return []byte(s + `]><html xmlns="http://www.w3.org/1999/xhtml"><body>` + para + `<p>&l;</p></body></html>`)
		}, want: ferry, not: "hahaha"},
		{id: "M10", name: "a comment that never ends", body: func() []byte { return []byte("<!--" + rep(para, 1000)) }, fails: "NoContent"},
		{id: "M10", name: "a textarea that never ends", body: page("<textarea>" + rep("x", 1<<20)), want: ferry},
		{id: "M10", name: "plaintext", body: page("<plaintext>" + rep("<p>", 1<<20)), want: ferry},
		{id: "M11", name: "data: addresses of 50 MB", body: page(`<p>word</p><img alt=x src="data:image/png;base64,` + rep("A", 2<<20) + `"><a href="data:text/html,` + rep("B", 50<<20) + `">y</a>`), want: "word", not: "AAAA"},
		{id: "M11", name: "svg with a million commands", body: page("<svg><path d='" + rep("L1 1", 1_000_000) + "'/></svg><p>word</p>"), want: "word", not: "L1 1L1 1"},
		{id: "M13", name: "class names of 1 MB", body: page("<div class='" + rep("comment-", 1<<17) + "'><p>word</p></div>"), want: ferry},
		{id: "M14", name: "JSON-LD of 4 MB, 100,000 deep", body: page(`<script type="application/ld+json">` + rep(`{"a":[`, 600_000) + `</script>`), want: ferry},
		{id: "M14", name: "state of 4 MB", body: page(`<script id="__NEXT_DATA__" type="application/json">{"a":"` + rep("x", 4<<20) + `"}</script>`), want: ferry},
		{id: "M15", name: "hostile Markdown", body: page("<p>" + rep("`", 500_000) + "</p><pre>```\n~~~\n</pre><p>](x) | &lt;script&gt; ![</p><p><a href='https://e.com/'>" + rep("]( ", 100_000) + "</a></p>"), want: ferry, not: " <script>"}, // with a backslash before it, it is text
	}
}

func serveHostile(w http.ResponseWriter, row hostileRow, body []byte) {
	if row.contentType != "" {
		w.Header().Set("Content-Type", row.contentType)
	} else {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	if row.encoding != "" {
		w.Header().Set("Content-Encoding", row.encoding)
	}
	if row.serve != nil {
		row.serve(w)
		return
	}
	_, _ = w.Write(body)
}

func gzipOf(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// gzipBomb and zstdBomb are many members of a megabyte each, which is quicker
// to make than one large one and no less to unpack.
func gzipBomb(n int) []byte {
	return bytes.Repeat(gzipOf(bytes.Repeat([]byte{'0'}, 1<<20)), n>>20)
}

func zstdBomb(n int) []byte {
	z, _ := zstd.NewWriter(nil)
	defer z.Close()
	return bytes.Repeat(z.EncodeAll(bytes.Repeat([]byte{'0'}, 1<<20), nil), n>>20)
}

// TestHostileContent reads each hostile page with the real command, in a separate
// process: it ends in an answer or a typed error, takes at most 256 MiB more
// memory than a harmless read, leaves no file behind, and the next page of the
// same run is read.
func TestHostileContent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a child is measured on Linux")
	}
	if testing.Short() {
		t.Skip("hostile pages take half a minute")
	}
	binary := must(t, product)
	rows := hostileRows()
	var body atomic.Pointer[[]byte] // of the row at hand, made before the child asks for it
	// The harmless page is asked for when the hostile one has been dealt with:
	// then the most memory that the child took is known. That of a child that has
	// ended would count the memory of this process, from before its exec.
	pids, peaks := make(chan int, 2), make(chan int64, 2)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/row/%d", &n); err != nil || n >= len(rows) {
			peaks <- peakMemory(<-pids)
			fmt.Fprint(w, examplePage)
			return
		}
		var b []byte
		if rows[n].body != nil {
			b = *body.Load()
		}
		serveHostile(w, rows[n], b)
	}))
	defer srv.Close()
	defer srv.CloseClientConnections()

	// read returns the answers to addresses, and the most memory that it took.
	read := func(t *testing.T, urls ...string) ([]hostileAnswer, int64) {
		t.Helper()
		home := t.TempDir()
		cmd := exec.Command(binary, append([]string{"fetch", "-q", "--json", "--max-length", "0", "--web-audit-log", "off", "--whole"}, urls...)...)
		cmd.Env = []string{"HOME=" + home, "TMPDIR=" + home, "WEB_ALLOW_PRIVATE=" + strings.TrimPrefix(srv.URL, "http://")}
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pids <- cmd.Process.Pid
		err := cmd.Wait()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 || errs.Len() > 0 {
			t.Fatalf("%v\n%.2000s", err, errs.Bytes())
		}
		var answers struct{ Results []hostileAnswer }
		if len(urls) == 1 {
			return nil, <-peaks
		}
		if err := json.Unmarshal(out.Bytes(), &answers); err != nil || len(answers.Results) != len(urls) {
			t.Fatalf("%v: %.300s", err, out.Bytes())
		}
		err = filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != "spyhop.db" { // the cache, closed
				t.Errorf("left behind: %s", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return answers.Results, <-peaks
	}
	_, harmless := read(t, srv.URL+"/good")
	for i, row := range rows {
		t.Run(row.id+" "+row.name, func(t *testing.T) {
			if row.body != nil {
				b := row.body()
				body.Store(&b)
			}
			begun := time.Now()
			answers, peak := read(t, fmt.Sprintf("%s/row/%d", srv.URL, i), srv.URL+"/good")
			t.Logf("%.1f s, %d MiB", time.Since(begun).Seconds(), (peak-harmless)>>20)
			if harmless == 0 {
				t.Fatal("the memory of a child could not be measured")
			}
			const most = 256 << 20
			if peak-harmless > most {
				t.Errorf("took %d MiB more than a harmless page", (peak-harmless)>>20)
			}
			if !answers[1].Success || !strings.Contains(answers[1].Markdown, "Ferries in fog") {
				t.Errorf("the next page: %+v", answers[1])
			}
			a := answers[0]
			switch {
			case row.fails != "":
				if a.Success || a.Error.Type != row.fails {
					t.Errorf("success %v, error %q, want %s", a.Success, a.Error.Type, row.fails)
				}
			case !a.Success:
				t.Errorf("%+v", a.Error)
			case !strings.Contains(a.Markdown, row.want):
				t.Errorf("%q is missing in %.300q", row.want, a.Markdown)
			case row.not != "" && strings.Contains(a.Markdown, row.not):
				t.Errorf("%q is in it", row.not)
			case !utf8.ValidString(a.Markdown) || len(a.Markdown) > 16<<20:
				t.Errorf("%d bytes, valid %v", len(a.Markdown), utf8.ValidString(a.Markdown))
			}
		})
	}
}

// peakMemory is the most resident memory that a process has had, in bytes.
func peakMemory(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	var kib int64
	_, _ = fmt.Sscan(rest, &kib)
	return kib << 10
}

type hostileAnswer struct {
	Success  bool
	Markdown string
	Error    struct {
		Type    string `json:"error_type"`
		Message string `json:"error_message"`
	}
}
