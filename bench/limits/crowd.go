package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/shapes"
)

// callers are those of the crowd, each with a token of its own.
var callers = []string{"alice", "bob"}

// patience is the deadline of a call of the crowd.
const patience = time.Minute

// mark stands in each page of the crowd and in its address: who asked for it, and for which.
var mark = regexp.MustCompile(`of-(alice|bob)-([0-9]+)-`)

// crowd reads every chosen document and hostile answer through one server, so many at a time,
// by two callers in turn and over REST and MCP in turn. It prints how many calls were answered,
// how many were refused and why, how many have neither answer nor reason, and how many show
// something of another call. Afterwards each caller searches what was read.
func crowd(program string, chosen func(name string) bool, bytes, atOnce int) error {
	var sites []func() http.HandlerFunc
	var names []string
	for _, s := range shapes.All() {
		if chosen(s.MediaType + " " + s.Name) {
			sites, names = append(sites, func() http.HandlerFunc { return documentOf(s.MediaType, s.Make(bytes)) }), append(names, s.MediaType+" "+s.Name)
		}
	}
	for _, a := range slices.Concat(answers(), slowAnswers()) {
		if chosen("answer " + a.name) {
			sites, names = append(sites, func() http.HandlerFunc { return a.make(bytes) }), append(names, "answer "+a.name)
		}
	}
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	pages := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		m := mark.FindStringSubmatch(r.URL.Path)
		if m == nil {
			http.NotFound(out, r)
			return
		}
		if i, _ := strconv.Atoi(m[2]); i < len(sites) {
			sites[i]()(out, r)
			return
		}
		fmt.Fprintf(out, "<title>%[1]s</title><p>The ferry %[1]s leaves at six.", m[0])
	}))
	defer pages.Close()
	file, tokens := filepath.Join(dir, "tokens.toml"), ""
	for _, name := range callers {
		sum := sha256.Sum256([]byte("token-of-" + name))
		tokens += fmt.Sprintf("[[token]]\nname = %q\nsha256 = %q\n\n", name, hex.EncodeToString(sum[:]))
	}
	if err := os.WriteFile(file, []byte(tokens), 0o600); err != nil {
		return err
	}
	pid, address, end, err := startServer(program, dir, "WEB_SERVE_TOKENS="+file, "WEB_HOST_RATE=1000/s", "WEB_HOST_CONCURRENCY=100")
	if err != nil {
		return err
	}
	defer end()
	idle, before := memoryOf(pid, "VmRSS:"), usedBy(pid)
	result := tally{refused: map[string]int{}}
	var running sync.WaitGroup
	places := make(chan struct{}, atOnce)
	// Every tenth page is an ordinary one, which is never refused.
	n := len(sites) + len(sites)/10
	for i := range n {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			caller, over := callers[i%2], []string{"fetch", "mcp"}[i/2%2]
			begun := time.Now()
			r, err := overHTTP[over](bearer{address, "token-of-" + caller}.url(), fmt.Sprintf("%s/of-%s-%d-/", pages.URL, caller, i), patience)
			result.take(caller, i, over, i >= len(sites), r, err)
			if took := time.Since(begun); took > patience/2 && i < len(names) {
				fmt.Fprintf(os.Stderr, "%.0f s: %s over %s\n", took.Seconds(), names[i], over)
			}
		})
	}
	running.Wait()
	fmt.Printf("%d calls, %d at a time: %d answered, %d refused with a reason, %d lost; %d ordinary pages of %d answered; %d show something of another call\n",
		n, atOnce, result.answered, result.sumRefused(), result.lost, result.ordinary, n-len(sites), result.crossed)
	for _, why := range slices.Sorted(maps.Keys(result.refused)) {
		fmt.Printf("  %4d %s\n", result.refused[why], why)
	}
	fmt.Printf("the server: %.1f s of processor time, %d MB at most beyond the idle one\n", (usedBy(pid) - before).Seconds(), (memoryOf(pid, "VmHWM:")-idle)>>20)
	for _, caller := range callers {
		found, others, err := recalled(bearer{address, "token-of-" + caller}.url(), caller)
		if err != nil {
			return err
		}
		fmt.Printf("%s finds %d pages that it has read, and %d of others\n", caller, found, others)
	}
	return nil
}

// tally counts what calls came to.
type tally struct {
	mu                                sync.Mutex
	answered, lost, ordinary, crossed int
	refused                           map[string]int
}

func (t *tally) sumRefused() (n int) {
	for _, k := range t.refused {
		n += k
	}
	return n
}

// take counts a call of a caller.
func (t *tally) take(caller string, i int, over string, ordinary bool, r *http.Response, err error) {
	var body []byte
	if err == nil {
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.lost++
		fmt.Fprintln(os.Stderr, "lost:", caller, i, over, err)
		return
	}
	for _, m := range mark.FindAllStringSubmatch(string(body), -1) {
		if m[1] != caller || m[2] != strconv.Itoa(i) {
			t.crossed++
			fmt.Fprintf(os.Stderr, "%s %d over %s got %s\n", caller, i, over, m[0])
			break
		}
	}
	why, ok := outcome(r.StatusCode, over, body)
	switch {
	case !ok:
		t.lost++
		fmt.Fprintf(os.Stderr, "lost: %s %d over %s: %d %.1000s\n", caller, i, over, r.StatusCode, body)
	case why == "":
		t.answered++
		if ordinary {
			t.ordinary++
		}
	default:
		t.refused[why]++
	}
}

// outcome is why a call was refused, "" where it was answered; ok is false for neither.
func outcome(status int, over string, body []byte) (why string, ok bool) {
	var answer struct {
		Success bool
		Type    string `json:"error_type"`
		Message string `json:"error_message"`
		Result  *struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if json.Unmarshal(body, &answer) != nil {
		return "", false
	}
	if over == "mcp" {
		if answer.Result == nil || len(answer.Result.Content) == 0 || answer.Result.Content[0].Text == "" {
			return "", false
		}
		if !answer.Result.IsError {
			return "", true
		}
		why, _, _ := strings.Cut(answer.Result.Content[0].Text, "\n")
		return "over MCP: " + shortened(why), true
	}
	if status == http.StatusOK {
		return "", answer.Success
	}
	return "over REST: " + answer.Type + ", " + shortened(answer.Message), answer.Type != "" && answer.Message != ""
}

// shortened is a message without what differs from page to page.
func shortened(s string) string {
	if _, cause, ok := strings.Cut(s, "-/: "); ok {
		s = cause
	}
	return fmt.Sprintf("%.70s", s)
}

// recalled searches what a caller has read for the word of all ordinary pages.
func recalled(server, caller string) (own, others int, err error) {
	r, err := post(server+"/v1/tools/web_recall", members{"query": "ferry leaves"}, nil)
	if err != nil {
		return 0, 0, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, 0, err
	}
	if r.StatusCode != http.StatusOK {
		return 0, 0, fmt.Errorf("web_recall: %s %.300s", r.Status, body)
	}
	seen := map[string]bool{}
	for _, m := range mark.FindAllStringSubmatch(string(body), -1) {
		if seen[m[0]] {
			continue
		}
		seen[m[0]] = true
		if m[1] == caller {
			own++
		} else {
			others++
		}
	}
	return own, others, nil
}

// bearer is a server with the token of a caller.
type bearer struct{ address, token string }

// url has the token as the user of the address, from where post takes it.
func (b bearer) url() string { return strings.Replace(b.address, "://", "://"+b.token+"@", 1) }
