// Command mcp measures the built program as an MCP server:
//
//	go run ./mcp --spyhop ../bin/spyhop [--seconds 5] [--peer "name=command"]...
//
// It prints the time until a process answers initialize, its memory when idle,
// how many fetches of a cached page it answers per second over stdio and over
// HTTP in each protocol revision, and the tokens of its tools. Other servers
// (--peer) are measured over stdio in the same run, with the same page on
// loopback; over HTTP, a server that is only the MCP SDK and answers with the same
// text, by turns with Spyhop. This command, which makes the load, uses the same processors.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"
)

type list []string

func (l *list) String() string     { return strings.Join(*l, ", ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func main() {
	var peers list
	spyhop := flag.String("spyhop", "../bin/spyhop", "path of the program")
	seconds := flag.Int("seconds", 5, "duration of each load in seconds")
	workers := flag.Int("workers", 16, "number of simultaneous requests")
	flag.Var(&peers, "peer", "another server on stdio with a fetch tool, as name=command line; can be repeated")
	bare := flag.String("bare", "", "serve the text of DIR/text at /mcp with nothing but the SDK, and write the URL to DIR/ready")
	flag.Parse()
	if *bare != "" {
		fmt.Fprintln(os.Stderr, "mcp:", serveBare(*bare))
		os.Exit(1)
	}
	if err := run(*spyhop, time.Duration(*seconds)*time.Second, *workers, peers); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

func run(spyhop string, duration time.Duration, workers int, peers list) error {
	dir, err := os.MkdirTemp("", "spyhop-mcp-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	page, err := serve()
	if err != nil {
		return err
	}
	env := append(os.Environ(), "WEB_DATA_DIR="+dir, "WEB_ALLOW_PRIVATE="+strings.TrimPrefix(strings.TrimSuffix(page, "/"), "http://"))

	if err := tokens(spyhop, env); err != nil {
		return err
	}
	fmt.Printf("\n%-22s %15s %8s %10s %12s\n", "over stdio", "start ms (most)", "RSS MiB", "anon MiB", "calls/s")
	text, err := stdio("spyhop", []string{spyhop, "mcp"}, env, "web_fetch", page, duration)
	if err != nil {
		return err
	}
	for _, p := range peers {
		name, command, _ := strings.Cut(p, "=")
		if _, err := stdio(name, strings.Fields(command), env, "", page, duration); err != nil {
			fmt.Printf("%s: %v\n", name, err)
		}
	}
	return overHTTP(spyhop, dir, env, page, text, duration, workers)
}

// serve serves an article of about 10 kB of text on loopback.
func serve() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html lang=en><title>The ferry</title><body><article><h1>The ferry</h1>")
	for i := range 60 {
		fmt.Fprintf(&b, "<p>On day %d the ferry left the quay at dawn, followed the coast for an hour, and met nobody but two fishermen, who waved. The light was low and the water still.</p>\n", i+1)
	}
	b.WriteString("</article></body></html>")
	body := []byte(b.String())
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(body)
		}))
	}()
	return "http://" + l.Addr().String() + "/", nil
}

// tokens prints the tokens that tools/list costs a model: name, description and
// schema of each tool, as clients pass them on.
func tokens(spyhop string, env []string) error {
	count, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return err
	}
	fmt.Printf("%-24s %8s %8s\n", "tools/list (o200k)", "tools", "tokens")
	for _, profile := range []string{"core", "crawl", "core,browser", "all"} {
		p, err := start([]string{spyhop, "mcp", "--tools", profile}, env)
		if err != nil {
			return err
		}
		raw, err := p.call("tools/list", `{}`)
		p.end()
		if err != nil {
			return err
		}
		var l struct {
			Tools []json.RawMessage `json:"tools"`
		}
		if err := json.Unmarshal(raw, &l); err != nil {
			return err
		}
		all, err := json.Marshal(l.Tools)
		if err != nil {
			return err
		}
		var plain bytes.Buffer // without the escapes of Go's encoder
		e := json.NewEncoder(&plain)
		e.SetEscapeHTML(false)
		var v any
		if err := json.Unmarshal(all, &v); err != nil {
			return err
		}
		if err := e.Encode(v); err != nil {
			return err
		}
		n, err := count.Count(plain.String())
		if err != nil {
			return err
		}
		fmt.Printf("%-24s %8d %8d\n", profile, len(l.Tools), n)
	}
	return nil
}

// process is a server on stdio.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	id     int
	opened time.Duration // from the start to the answer of initialize
}

const initialize = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`

func start(command []string, env []string) (*process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_, err = p.call("initialize", initialize)
	p.opened = time.Since(begin)
	if err == nil {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		p.end()
		return nil, fmt.Errorf("%s: %w", command[0], err)
	}
	return p, nil
}

func (p *process) end() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// call sends a request and waits for its answer.
func (p *process) call(method, params string) (json.RawMessage, error) {
	p.id++
	if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", p.id, method, params); err != nil {
		return nil, err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if json.Unmarshal(line, &m) != nil || m.Method != "" || m.ID != p.id {
			continue // a notification, or a log line
		}
		if m.Error != nil {
			return nil, errors.New(string(m.Error))
		}
		return m.Result, nil
	}
}

// stdio prints the row of a server. If tool is empty, it uses the first tool
// whose name says that it fetches Markdown, or that it fetches. It returns the text of
// the last answer.
func stdio(name string, command, env []string, tool, page string, duration time.Duration) (string, error) {
	var starts []time.Duration
	for range 20 {
		p, err := start(command, env)
		if err != nil {
			return "", err
		}
		starts = append(starts, p.opened)
		p.end()
	}
	slices.Sort(starts)
	p, err := start(command, env)
	if err != nil {
		return "", err
	}
	defer p.end()
	raw, err := p.call("tools/list", `{}`)
	if err != nil {
		return "", err
	}
	time.Sleep(time.Second) // idle
	rss, anon := memory(p.cmd.Process.Pid)
	if tool == "" {
		var l struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(raw, &l); err != nil {
			return "", err
		}
		for _, t := range l.Tools {
			if strings.Contains(t.Name, "markdown") || tool == "" && strings.Contains(t.Name, "fetch") {
				tool = t.Name
			}
		}
	}
	fmt.Printf("%-24s %5.1f (%5.1f) %8.1f %10.1f ", name, ms(starts[len(starts)/2]), ms(starts[len(starts)-1]), rss, anon)
	params := fmt.Sprintf(`{"name":%q,"arguments":{"url":%q}}`, tool, page)
	calls, last := 0, json.RawMessage(nil)
	for begin := time.Now(); time.Since(begin) < duration; calls++ {
		answer, err := p.call("tools/call", params)
		if err == nil && (bytes.Contains(answer, []byte(`"isError":true`)) || !bytes.Contains(answer, []byte("fishermen"))) {
			err = fmt.Errorf("%s answered %.200s", tool, answer)
		}
		if err != nil {
			return "", err
		}
		last = answer
	}
	fmt.Printf("%12.0f\n", float64(calls)/duration.Seconds())
	var r mcp.CallToolResult
	if err := json.Unmarshal(last, &r); err != nil || len(r.Content) == 0 {
		return "", err
	}
	text, _ := r.Content[0].(*mcp.TextContent)
	return text.Text, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// memory is the resident memory of a process in MiB: all of it, and the anonymous
// part.
func memory(pid int) (rss, anon float64) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		kb, _ := strconv.ParseFloat(fields[1], 64)
		switch fields[0] {
		case "VmRSS:":
			rss = kb / 1024
		case "RssAnon:":
			anon = kb / 1024
		}
	}
	return rss, anon
}

// serveBare is a server that is only the SDK: what every MCP server in Go costs.
func serveBare(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "text"))
	if err != nil {
		return err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	type input struct {
		URL string `json:"url"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "web_fetch"}, func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil, nil
	})
	get := func(*http.Request) *mcp.Server { return s }
	sessions := mcp.NewStreamableHTTPHandler(get, nil)
	single := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "ready"), []byte("http://"+l.Addr().String()), 0o600); err != nil {
		return err
	}
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026" {
			single.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	}))
}

// served starts a server, which writes its URL to a file when it is ready.
func served(cmd *exec.Cmd, ready string) (url string, end func(), err error) {
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	end = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // an interrupt is ignored below a shell that runs this in the background
		_ = cmd.Wait()
	}
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(10 * time.Millisecond) {
		if data, err := os.ReadFile(ready); err == nil && len(data) > 0 {
			return strings.TrimSpace(string(data)) + "/mcp", end, nil
		}
	}
	end()
	return "", nil, fmt.Errorf("%s is not ready", cmd.Path)
}

// target is a server under load.
type target struct {
	pid          int
	url, session string
	// rows are the loads in both protocol revisions, with a session and without.
	rows [2]tally
}

// tally is what the slices of a load came to.
type tally struct {
	took, server, all time.Duration // the last two are processor time
	times             []time.Duration
	failures          int
}

func newTarget(client *http.Client, pid int, url string) (*target, error) {
	session, err := open(client, url)
	return &target{pid: pid, url: url, session: session}, err
}

// slice puts one slice of each load on a server.
func (t *target) slice(client *http.Client, page string, duration time.Duration, workers int) {
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%%d,"method":"tools/call","params":{"name":"web_fetch","arguments":{"url":%q}%%s}}`, page)
	meta := `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}`
	t.rows[0].load(client, t.pid, t.url, map[string]string{"Mcp-Session-Id": t.session, "Mcp-Protocol-Version": "2025-11-25"}, call, "", duration, workers)
	t.rows[1].load(client, t.pid, t.url, map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "web_fetch"}, call, meta, duration, workers)
}

// bare starts a server that is only the SDK, with the text that Spyhop answered.
func bare(dir, text string) (cmd *exec.Cmd, url string, end func(), err error) {
	dir = filepath.Join(dir, "bare")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "text"), []byte(text), 0o600)); err != nil {
		return nil, "", nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, "", nil, err
	}
	cmd = exec.Command(self, "--bare", dir)
	url, end, err = served(cmd, filepath.Join(dir, "ready"))
	return cmd, url, end, err
}

// turns is into how many parts a load is divided. Those of Spyhop and of the SDK take
// turns, so that both find the same machine.
const turns = 10

// overHTTP puts load on "spyhop serve" and on the SDK alone, in both protocol
// revisions, and opens many sessions.
func overHTTP(spyhop, dir string, env []string, page, text string, duration time.Duration, workers int) error {
	ready := filepath.Join(dir, "ready")
	cmd := exec.Command(spyhop, "serve", "--listen", "127.0.0.1:0", "--ready-file", ready)
	cmd.Env = env
	url, end, err := served(cmd, ready)
	if err != nil {
		return err
	}
	defer end()
	time.Sleep(time.Second)
	rss, anon := memory(cmd.Process.Pid)
	fmt.Printf("\nserve, idle: RSS %.1f MiB, anonymous %.1f MiB\n", rss, anon)
	other, otherURL, endOther, err := bare(dir, text)
	if err != nil {
		return err
	}
	defer endOther()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
	own, err := newTarget(client, cmd.Process.Pid, url)
	if err != nil {
		return err
	}
	sdk, err := newTarget(client, other.Process.Pid, otherURL)
	if err != nil {
		return err
	}
	for range turns {
		own.slice(client, page, duration/turns, workers)
		sdk.slice(client, page, duration/turns, workers)
	}
	fmt.Printf("\n%-30s %10s %10s %10s %10s %14s %14s\n", "over HTTP", "calls/s", "p50 ms", "p99 ms", "errors", "CPU us/call", "of it server's")
	for i, revision := range []string{"2025-11-25, a session", "2026-07-28, none"} {
		own.rows[i].print(revision)
		sdk.rows[i].print("SDK: " + revision)
		fmt.Printf("%-30s %10.2f %10s %10s %10s %14.2f %14.2f\n", "Spyhop / SDK", own.rows[i].rate()/sdk.rows[i].rate(), "", "", "",
			own.rows[i].each(own.rows[i].all)/sdk.rows[i].each(sdk.rows[i].all), own.rows[i].each(own.rows[i].server)/sdk.rows[i].each(sdk.rows[i].server))
	}
	rss, anon = memory(cmd.Process.Pid)
	fmt.Printf("\nafter the load: RSS %.1f MiB, anonymous %.1f MiB\n", rss, anon)
	begin := time.Now()
	opened := 0
	for opened < 10_050 {
		if _, err = open(client, url); err != nil {
			break
		}
		opened++
	}
	rss, anon = memory(cmd.Process.Pid)
	fmt.Printf("%d more sessions in %.1f s: RSS %.1f MiB, anonymous %.1f MiB; the next one: %.100v\n", opened, time.Since(begin).Seconds(), rss, anon, err)
	return nil
}

// open opens a session.
func open(client *http.Client, url string) (string, error) {
	res, body, err := post(client, url, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+initialize+`}`, nil)
	if err != nil {
		return "", err
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%d %s", res.StatusCode, body)
	}
	return res.Header.Get("Mcp-Session-Id"), nil
}

func post(client *http.Client, url, body string, header map[string]string) (*http.Response, []byte, error) {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		r.Header.Set(k, v)
	}
	res, err := client.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res, answer, err
}

// load calls for a while and adds what came of it.
func (t *tally) load(client *http.Client, pid int, url string, header map[string]string, call, meta string, duration time.Duration, workers int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	server, all := processorTime(pid), processorTime(pid)+processorTime(os.Getpid())
	begin := time.Now()
	for w := range workers {
		wg.Go(func() {
			var mine []time.Duration
			bad := 0
			for n := 0; time.Since(begin) < duration; n++ {
				at := time.Now()
				res, body, err := post(client, url, fmt.Sprintf(call, 10+w+n*workers, meta), header)
				if err != nil || res.StatusCode != http.StatusOK || !bytes.Contains(body, []byte("fishermen")) {
					bad++
				}
				mine = append(mine, time.Since(at))
			}
			mu.Lock()
			defer mu.Unlock()
			t.times, t.failures = append(t.times, mine...), t.failures+bad
		})
	}
	wg.Wait()
	t.took += time.Since(begin)
	t.server += processorTime(pid) - server
	t.all += processorTime(pid) + processorTime(os.Getpid()) - all
}

// rate is calls a second, and each a time divided by the calls, in microseconds.
func (t *tally) rate() float64 { return float64(len(t.times)) / t.took.Seconds() }
func (t *tally) each(sum time.Duration) float64 {
	return float64(sum.Microseconds()) / float64(len(t.times))
}

func (t *tally) print(name string) {
	slices.Sort(t.times)
	fmt.Printf("%-30s %10.0f %10.2f %10.2f %10d %14.0f %14.0f\n", name, t.rate(), ms(t.times[len(t.times)/2]), ms(t.times[len(t.times)*99/100]), t.failures,
		t.each(t.all), t.each(t.server))
}

// processorTime is the processor time of a process, in steps of 10 ms (proc(5)).
// On a busy machine, calls per second drop, but not the processor time per call.
func processorTime(pid int) time.Duration {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
