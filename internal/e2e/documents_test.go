//go:build unix

package e2e_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// hostileDocuments are documents by path: P rows of the project's list of
// hostile content, and those of its reviews.
func hostileDocuments() map[string]servedDocument {
	rep := strings.Repeat
	const pdf, md, js, csv = "application/pdf", "text/markdown", "application/json", "text/csv"
	chapter := "<html><body>" + rep("<p>"+rep("word ", 20)+"</p>", 300) + "</body></html>"
	objects := func(n int, object string) string {
		var b strings.Builder
		b.WriteString("%PDF-1.4\n")
		for i := range n {
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
		}
		return b.String() + "trailer<</Root 1 0 R/Size 9>>\nstartxref\n5\n%%EOF"
	}
	return map[string]servedDocument{
		"/truncated.pdf": {pdf, []byte("%PDF-1.7\n1 0 obj\n<</Type/Catalog")},
		"/repair.pdf":    {pdf, []byte(objects(40_000, "<</A 1>>"))},
		"/loop.pdf":      {pdf, []byte(objects(2_000, "<</Type/Pages/Kids[1 0 R 2 0 R]/Parent 1 0 R>>"))},
		"/streams.pdf":   {pdf, []byte(objects(2_000, "<</Length 9999999>>stream\n"))},
		"/nested.pdf":    {pdf, []byte("%PDF-1.4\n1 0 obj\n" + rep("[", 500_000) + "\nendobj\n")},
		"/chapters.epub": {"application/epub+zip", zipDocument("mimetype", "application/epub+zip", "META-INF/container.xml", `<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>`, "p.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>`+rep(`<itemref idref="a"/>`, 50)+`</spine></package>`, "a.xhtml", chapter)},
		"/bomb.docx":     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", zipDocument("word/document.xml", rep(" ", 300<<20))},
		"/deep.docx":     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", zipDocument("word/document.xml", rep("<w:p>", 500_000))},
		"/entries.zip":   {"application/zip", manyEntries(30_000)},
		"/parts.eml":     {"message/rfc822", []byte("Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n" + rep("--x\nContent-Type: multipart/mixed; boundary=x\n\n", 50_000))},
		"/brackets.json": {js, []byte(rep("[", 9_990) + rep("]", 9_990))},
		"/emphasis.md":   {md, []byte(rep("*a_", 40_000))},
		"/quotes.md":     {md, []byte(rep("> ", 50_000) + "word")},
		"/open.md":       {md, []byte(rep("[", 500_000))},
		"/columns.csv":   {csv, []byte(rep("a,", 500_000))},
		"/deep.xml":      {"application/rss+xml", []byte("<rss>" + rep("<a>", 300_000))},
	}
}

type servedDocument struct {
	mediaType string
	body      []byte
}

func zipDocument(parts ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err == nil {
			_, err = io.WriteString(f, parts[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	_ = w.Close()
	return b.Bytes()
}

func manyEntries(n int) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := range n {
		_, _ = w.CreateHeader(&zip.FileHeader{Name: strconv.Itoa(i), Method: zip.Store}) // a compressor for each takes 10 s under the race detector
	}
	_ = w.Close()
	return b.Bytes()
}

// numberedMail is a document that a worker reads.
func numberedMail(i int) servedDocument {
	return servedDocument{"message/rfc822", fmt.Appendf(nil, "Subject: number %d\nFrom: a@example.com\n\nThis is the mail with the number %d.\n", i, i)}
}

// TestHostileDocuments reads hostile documents and ordinary ones over REST and
// MCP, many at a time: each is answered or refused with a reason, each ordinary
// one gets its own answer, and the server ends cleanly afterwards.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	documents := hostileDocuments()
	w := newWorld(t, map[string]http.HandlerFunc{"documents.example.com": func(rw http.ResponseWriter, r *http.Request) {
		d, ok := documents[r.URL.Path]
		if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/mail/")); !ok && err == nil {
			d, ok = numberedMail(n), true
		}
		if !ok {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", d.mediaType)
		_, _ = rw.Write(d.body)
	}})
	var pages []pageAtOnce
	for path := range documents {
		pages = append(pages, pageAtOnce{url: "https://documents.example.com" + path})
	}
	for i := range len(pages) {
		pages = append(pages, pageAtOnce{"https://documents.example.com/mail/" + strconv.Itoa(i), fmt.Sprintf("mail with the number %d.", i)})
	}
	w.readAtOnce(t, 12, pages)
}

// TestHostileAtOnce reads the pages of TestHostileContent and ordinary ones as
// TestHostileDocuments does, SPYHOP_AT_ONCE at a time.
func TestHostileAtOnce(t *testing.T) {
	if os.Getenv("SPYHOP_AT_ONCE") == "" {
		t.Skip("it takes minutes and gigabytes: set SPYHOP_AT_ONCE=50")
	}
	rows, wire := hostileRows(), hostileWire()
	bodies := make([][]byte, len(rows))
	for i, row := range rows {
		if row.body != nil {
			bodies[i] = row.body()
		}
	}
	w := newWorld(t, map[string]http.HandlerFunc{"hostile.example.com": func(rw http.ResponseWriter, r *http.Request) {
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/good/%d", &i); err == nil {
			serves("text/html", article("Ferry "+strconv.Itoa(i), fog+fmt.Sprintf("<p>This is the ferry with the number %d.</p>", i)))(rw, r)
			return
		}
		if _, err := fmt.Sscanf(r.URL.Path, "/wire/%d", &i); err == nil && i < len(wire) {
			wire[i](rw)
			return
		}
		if _, err := fmt.Sscanf(r.URL.Path, "/row/%d", &i); err != nil || i >= len(rows) {
			http.NotFound(rw, r) // where a row redirects to
			return
		}
		serveHostile(rw, rows[i], bodies[i])
	}})
	var pages []pageAtOnce
	for i := range rows {
		pages = append(pages, pageAtOnce{url: fmt.Sprintf("https://hostile.example.com/row/%d", i)},
			pageAtOnce{fmt.Sprintf("https://hostile.example.com/good/%d", i), fmt.Sprintf("ferry with the number %d.", i)})
	}
	for i := range wire {
		pages = append(pages, pageAtOnce{url: fmt.Sprintf("https://hostile.example.com/wire/%d", i)})
	}
	w.readAtOnce(t, 50, pages)
}

// hostileWire are servers that break HTTP itself, by the identifiers of the list of hostile
// content. Tests of internal/fetch have them one by one, with what each has to give.
func hostileWire() []func(http.ResponseWriter) {
	// wire writes a beginning once, and a part again and again until the client has gone or
	// times is reached.
	wire := func(begin, part string, times int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			defer c.Close()
			_, err = io.WriteString(c, begin)
			for i := 0; err == nil && (times == 0 || i < times); i++ {
				if part == "" { // silence, until the client has gone
					_, err = c.Read(make([]byte, 1))
					continue
				}
				_, err = io.WriteString(c, part)
			}
		}
	}
	const ok, html = "HTTP/1.1 200 OK\r\n", "Content-Type: text/html\r\n"
	const para = "<p>The ferry left the quay at dawn and followed the coast for an hour.</p>"
	return []func(http.ResponseWriter){
		wire(ok+html+"Content-Encoding: gzip\r\n\r\n", string(gzipOf([]byte(para)))+"garbage", 1), // T4
		wire(ok+html+"Content-Length: 1000\r\n\r\n"+para, "", 0),                                  // T6
		wire("", "", 0),          // T7: no status line
		wire(ok+"X-A: b", "", 0), // T7: no end of a header
		wire(ok, "X-A: "+strings.Repeat("b", 100)+"\r\n", 100_000),    // T8
		wire("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 0), // T9
		wire(ok+html+"Content-Length: 9999\r\n\r\n", para, 1),         // T11
		wire(ok+html+"Content-Length: 3\r\n\r\n", para, 1),
		wire(ok+html+"Content-Length: -3\r\n\r\n", para, 1),
		wire(ok+html+"Content-Length: 3\r\nContent-Length: 4\r\n\r\n", para, 1),
		wire(ok+html+"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", para, 1),
		wire(ok+html+"Transfer-Encoding: chunked\r\n\r\n", "ffffffffffffffff\r\n"+para, 1), // T12
		wire(ok+html+"Transfer-Encoding: chunked\r\n\r\n", "-1\r\n"+para, 1),
		wire(ok+html+"Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n", 1_000_000),
		wire(ok+html+"Transfer-Encoding: chunked\r\n\r\n", "1;"+strings.Repeat("x", 4000)+"\r\na\r\n", 1000),
		wire(ok+html+"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", "X-A: b\r\n", 0),
		wire(para, para, 1), // T13
		wire("ICY 200 OK\r\n"+html+"\r\n", para, 1),
		wire("HTTP/1.1 000 \n"+html+"\n", para, 1),
		wire("HTTP/1.1 999 \r\n"+html+"\r\n", para, 1),
		wire("HTTP/1.1 1000 OK\r\n"+html+"\r\n", para, 1),
		wire(ok[:5], "", 0), // T14
		wire(ok+html, "", 0),
		wire("HTTP/1.1 429 No\r\nRetry-After: 999999999\r\n\r\n", para, 1), // T20
		wire("HTTP/1.1 503 No\r\nRetry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n", para, 1),
	}
}

// A pageAtOnce is a page of readAtOnce. Its answer contains want; for a page without it,
// a typed error is an answer too.
type pageAtOnce struct{ url, want string }

// readAtOnce reads pages with a server, each over REST and over MCP, SPYHOP_AT_ONCE or
// usual of them at a time.
func (w *world) readAtOnce(t *testing.T, usual int, pages []pageAtOnce) {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("SPYHOP_AT_ONCE")); err == nil {
		usual = n
	}
	server := w.httpServer(t, "documents")
	s, err := w.connect(&mcp.StreamableClientTransport{Endpoint: server + "/mcp"}, withSession)
	if err != nil {
		t.Fatal(err)
	}
	overREST := func(address string) (text, failure string) {
		args, _ := json.Marshal(map[string]any{"url": address, "timeout_ms": 20_000})
		res, err := http.Post(server+"/v1/tools/web_fetch", "application/json", bytes.NewReader(args))
		if err != nil {
			return "", err.Error()
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return "", err.Error()
		}
		var problem struct {
			Type    string `json:"error_type"`
			Message string `json:"error_message"`
		}
		if _ = json.Unmarshal(body, &problem); res.StatusCode != http.StatusOK {
			if problem.Type == "" || problem.Message == "" || problem.Type == string(tool.Internal) {
				return "", fmt.Sprintf("untyped: %d %.300s", res.StatusCode, body)
			}
			return "", problem.Type
		}
		return string(body), ""
	}
	overMCP := func(address string) (text, failure string) {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "web_fetch", Arguments: map[string]any{"url": address, "timeout_ms": 20_000}})
		if err != nil {
			return "", "untyped: " + err.Error()
		}
		for _, c := range r.Content {
			if c, ok := c.(*mcp.TextContent); ok {
				text += c.Text
			}
		}
		if r.IsError {
			return "", text
		}
		return text, ""
	}
	slots := make(chan struct{}, usual)
	var wg sync.WaitGroup
	for i, p := range pages {
		for name, read := range map[string]func(string) (string, string){"REST": overREST, "MCP": overMCP} {
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				text, failure := read(fmt.Sprintf("%s?%s=%d", p.url, name, i))
				switch {
				case strings.HasPrefix(failure, "untyped"):
					t.Errorf("%s %s: %s", name, p.url, failure)
				case text == "" && failure == "":
					t.Errorf("%s %s: neither an answer nor a reason", name, p.url)
				case p.want != "" && !strings.Contains(text, p.want):
					t.Errorf("%s %s: %.300q %.300q", name, p.url, text, failure)
				}
			})
		}
	}
	wg.Wait()
}

// TestWorkerEndsWithServer shows that a worker does not outlive a server that
// was killed, and that a worker that is killed costs no more than one document.
func TestWorkerEndsWithServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found in /proc")
	}
	w := newWorld(t, map[string]http.HandlerFunc{"documents.example.com": func(rw http.ResponseWriter, r *http.Request) {
		d := numberedMail(1)
		rw.Header().Set("Content-Type", d.mediaType)
		_, _ = rw.Write(d.body)
	}})
	c := w.command(context.Background(), "killed", "serve", "--listen", "127.0.0.1:0")
	ready := filepath.Join(w.home, "ready")
	c.Args = append(c.Args, "--ready-file", ready)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	var url string
	wait(t, "the server", func() bool {
		b, err := os.ReadFile(ready)
		url = strings.TrimSpace(string(b))
		return err == nil && url != ""
	})
	read := func(i int) {
		args := fmt.Sprintf(`{"url":"https://documents.example.com/%d"}`, i)
		res, err := http.Post(url+"/v1/tools/web_fetch", "application/json", strings.NewReader(args))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if b, _ := io.ReadAll(res.Body); !strings.Contains(string(b), "This is the mail") {
			t.Fatalf("%d: %s", i, b)
		}
	}
	read(1)
	workers := workersOf(c.Process.Pid)
	if len(workers) != 1 {
		t.Fatalf("%d workers, want one", len(workers))
	}
	_ = syscall.Kill(workers[0], syscall.SIGKILL)
	wait(t, "the end of the worker", func() bool { return len(workersOf(c.Process.Pid)) == 0 })
	read(2)
	workers = workersOf(c.Process.Pid)
	if len(workers) != 1 {
		t.Fatalf("%d workers after one was killed, want one", len(workers))
	}
	_ = c.Process.Kill()
	wait(t, "the end of the worker of a killed server", func() bool {
		_, err := os.Stat("/proc/" + strconv.Itoa(workers[0]))
		return os.IsNotExist(err)
	})
}

// wait waits until something holds.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
		runtime.Gosched()
	}
}

// workersOf are the workers of a process.
func workersOf(parent int) (pids []int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range lines {
		b, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(b, []byte("\x00spyhop-document-worker\x00")) {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "stat"))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) && fields[0] != "Z" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			pids = append(pids, pid)
		}
	}
	return pids
}
