package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const canary = "c4n4ry-s3cr3t"

// Each text holds a secret; what is masked of it, and nothing else, is gone.
func TestMask(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"https://example.com/a?b=c#d", "https://example.com/a?b=c#d"},
		{"https://user:" + canary + "@example.com/", "https://***@example.com/"},
		{"https://" + canary + "@example.com/a@b", "https://***@example.com/a@b"},
		{`https:\\u:` + canary + `@example.com/`, `https:\\***@example.com/`},
		{"https:////u:" + canary + "@example.com/", "https:////***@example.com/"},
		{"https://u@v:" + canary + "@example.com/", "https://***@example.com/"},
		{"//u:" + canary + "@example.com", "//***@example.com"},
		{"get https://a.example/ and https://u:" + canary + "@b.example/", "get https://a.example/ and https://***@b.example/"},
		{"https://e.com/?token=" + canary, "https://e.com/?token=***"},
		{"https://e.com/?a=1&api_key=" + canary + "&b=2", "https://e.com/?a=1&api_key=***&b=2"},
		{"https://e.com/?API-Key=" + canary, "https://e.com/?API-Key=***"},
		{"https://e.com/?apiKey=" + canary, "https://e.com/?apiKey=***"},
		{"https://e.com/?%74oken=" + canary, "https://e.com/?%74oken=***"},
		{"https://e.com/?sig=" + canary + "&se=2026", "https://e.com/?sig=***&se=2026"},
		{"https://e.com/?signature=" + canary, "https://e.com/?signature=***"},
		{"https://e.com/?X-Amz-Signature=" + canary + "&X-Amz-Security-Token=" + canary + "&X-Amz-Credential=" + canary + "/x",
			"https://e.com/?X-Amz-Signature=***&X-Amz-Security-Token=***&X-Amz-Credential=***"},
		{"https://e.com/?password=" + canary, "https://e.com/?password=***"},
		{"https://e.com/cb?code=" + canary + "&state=x", "https://e.com/cb?code=***&state=x"},
		{"https://e.com/?PHPSESSID=x&session_id=" + canary, "https://e.com/?PHPSESSID=x&session_id=***"},
		{"https://e.com/;jsessionid=" + canary + "?a=b", "https://e.com/;jsessionid=***"},
		{"https://e.com/#access_token=" + canary + "&token_type=x", "https://e.com/#access_token=***&token_type=***"},
		{"https://e.com/?a=b;token=" + canary, "https://e.com/?a=b;token=***"},
		{"https://e.com/?q=code+review&zip_code=1", "https://e.com/?q=code+review&zip_code=1"},
		{"Authorization: Bearer " + canary, "Authorization: ***"},
		{"sent Bearer " + canary + " to it", "sent Bearer *** to it"},
		{"Basic " + canary, "Basic ***"},
		{"Cookie: a=" + canary + "; b=" + canary, "Cookie: ***"},
		{"Set-Cookie:" + canary, "Set-Cookie:***"},
		{"x-api-key: " + canary + "\nAccept: a", "x-api-key: ***\nAccept: a"},
		{`{"api_key":"` + canary + `","a":"b"}`, `{"api_key":"***","a":"b"}`},
		{`Get "https://e.com/?token=` + canary + `": refused`, `Get "https://e.com/?token=***": refused`},
	} {
		got := Mask(c.in)
		if got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got, c.want)
		}
		if strings.Contains(got, canary) {
			t.Errorf("%q shows the canary", got)
		}
		if again := Mask(got); again != got {
			t.Errorf("%q becomes %q the second time", got, again)
		}
	}
}

// The value of a secret name is masked in any surrounding text.
func FuzzMask(f *testing.F) {
	f.Add("https://example.com/?a=b&", "&c=d")
	f.Add("//x@", "@y?z")
	f.Add("a: \"", "\" token=")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, canary) {
			t.Skip()
		}
		for _, name := range []string{"token=", "api_key=", "password=", "X-Amz-Signature="} {
			if got := Mask(before + "&" + name + canary + "&" + after); strings.Contains(got, canary) {
				t.Errorf("%q %q: %q", before, after, got)
			}
		}
		if got := Mask(before + " https://u:" + canary + "@example.com/" + after); strings.Contains(got, canary) {
			t.Errorf("%q %q: %q", before, after, got)
		}
	})
}

// A canary in every string of an event reaches no sink.
func TestCanary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "audit.jsonl")
	file, err := OpenFile(path, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	log := New(Options{File: file, Secrets: []string{canary, "", "short"}})
	feed, end := log.Subscribe(10)
	log.Record(Event{
		Kind: Call, Tool: canary, Caller: canary, URL: "https://e.com/" + canary + "/x", FinalURL: canary, Decision: Block, Rule: canary,
		Address: canary, Cache: canary, Error: canary, Detail: "the key " + canary + " is wrong" + strings.Repeat("x", maxDetailBytes-20) + canary,
	})
	log.Record(Event{Kind: Decision, Caller: "browser", Decision: Block, URL: "https://" + canary + "@e.com/"})
	end()
	end() // does no harm
	seen := fmt.Sprintf("%+v", log.Metrics())
	for e := range feed {
		seen += fmt.Sprintf("%+v", e)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen += string(b)
	if strings.Contains(seen, canary) || strings.Count(seen, masked) < 12 || strings.Count(string(b), "\n") != 2 {
		t.Errorf("%s", seen)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestWhatIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	// Half a line of a machine that stopped.
	if err := os.WriteFile(path, []byte(`{"time":`), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := OpenFile(path, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	log := New(Options{File: file})
	at := time.Date(2026, 11, 3, 4, 5, 6, 7000, time.FixedZone("", 3600))
	log.Record(Event{Time: at, Kind: Call, Tool: "web_fetch", Caller: "mcp", URL: "https://e.com/<a>", FinalURL: "https://e.com/b", Decision: Allow, Status: 200, Bytes: 12, Milliseconds: 1.5, Cache: "hit"})
	log.Record(Event{Time: at, Kind: Decision, Decision: Allow, URL: "https://e.com/"})
	log.Record(Event{Time: at, Kind: Decision, Caller: "browser", Decision: Block, Rule: "address", URL: "https://e.com/", Address: "10.0.0.1"})
	_ = log.Close()
	log.Record(Event{Kind: Call}) // after Close: counted, not written
	b, _ := os.ReadFile(path)
	want := `{"time":
{"time":"2026-11-03T03:05:06.000007Z","kind":"call","tool":"web_fetch","caller":"mcp","url":"https://e.com/<a>","final_url":"https://e.com/b","decision":"allow","status":200,"bytes":12,"ms":1.5,"cache":"hit"}
{"time":"2026-11-03T03:05:06.000007Z","kind":"verdict","caller":"browser","url":"https://e.com/","decision":"block","rule":"address","address":"10.0.0.1","bytes":0,"ms":0}
`
	if string(b) != want {
		t.Errorf("got\n%s", b)
	}
	if m := log.Metrics(); m.FileErrors != 1 || m.Calls["web_fetch"] != 1 || m.Allowed != 1 || m.Blocked != 1 || m.Rules["address"] != 1 ||
		m.Bytes != 12 || m.Seconds["web_fetch"].Buckets[0] != 1 || m.Seconds[""].Count != 1 || m.Cache["hit"] != 1 {
		t.Errorf("%+v", m)
	}
	if _, err := OpenFile(t.TempDir(), FileOptions{}); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := OpenFile(os.DevNull, FileOptions{}); err == nil {
		t.Error("a device was opened")
	}
}

// The feed never makes anybody wait, and a nil Log takes everything.
func TestFeed(t *testing.T) {
	log := New(Options{})
	slow, endSlow := log.Subscribe(2)
	quick, endQuick := log.Subscribe(100)
	for i := range 10 {
		log.Record(Event{Kind: Call, Tool: "t", Status: i})
	}
	endSlow()
	log.Record(Event{Kind: Call, Tool: "t"})
	endQuick()
	count := func(c <-chan Event) (n int) {
		for range c {
			n++
		}
		return n
	}
	if a, b := count(slow), count(quick); a != 2 || b != 11 || log.Metrics().FeedDropped != 8 {
		t.Errorf("%d and %d events, %d dropped", a, b, log.Metrics().FeedDropped)
	}
	var none *Log
	none.Record(Event{})
	_, end := none.Subscribe(1)
	end()
	if none.Close() != nil || len(none.Metrics().Seconds) != 0 {
		t.Error("a nil Log does something")
	}
}

func TestLabelsAreBounded(t *testing.T) {
	log := New(Options{})
	for i := range 10 * maxLabels {
		log.Record(Event{Kind: Call, Tool: fmt.Sprint(i)})
	}
	if m := log.Metrics(); len(m.Calls) != maxLabels+1 || m.Calls["other"] != 9*maxLabels {
		t.Errorf("%d labels, %d others", len(m.Calls), m.Calls["other"])
	}
}

// appendEnv makes the test binary a process that appends to a log.
const appendEnv = "SPYHOP_TEST_APPEND"

func TestMain(m *testing.M) {
	if path := os.Getenv(appendEnv); path != "" {
		appendMany(path)
		return
	}
	os.Exit(m.Run())
}

const perProcess = 2000

func appendMany(path string) {
	file, err := OpenFile(path, FileOptions{MaxBytes: 20_000, Keep: 100_000})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	log := New(Options{File: file})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range perProcess / 4 {
				log.Record(Event{Kind: Call, Tool: fmt.Sprintf("%d-%d-%d", os.Getpid(), g, i)})
			}
		})
	}
	wg.Wait()
	if n := log.Metrics().FileErrors; n > 0 {
		fmt.Println(n, "errors")
		os.Exit(1)
	}
}

// Four processes share a file, rotate it many times, and lose no line.
func TestProcessesShareTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var wg sync.WaitGroup
	const processes = 4
	for range processes {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), appendEnv+"="+path)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	files, _ := filepath.Glob(path + "*")
	seen := map[string]bool{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var e Event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%s: %q: %v", f, line, err)
			}
			seen[e.Tool] = true
		}
	}
	if len(seen) != processes*perProcess || len(files) < 10 {
		t.Errorf("%d lines of %d in %d files", len(seen), processes*perProcess, len(files))
	}
}

// The oldest rotated files go, and nothing else of the folder.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.jsonl")
	for _, name := range []string{"audit.jsonl.bak", "audit.jsonl2", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := OpenFile(path, FileOptions{MaxBytes: 500, Keep: 2})
	if err != nil {
		t.Fatal(err)
	}
	log := New(Options{File: file})
	defer log.Close()
	for range 50 {
		log.Record(Event{Kind: Call, Tool: "t"})
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 6 {
		t.Errorf("%v", entries)
	}
	for _, e := range entries {
		if info, _ := e.Info(); info.Size() > 500 {
			t.Errorf("%s has %d bytes", e.Name(), info.Size())
		}
	}
	if runtime.GOOS == "windows" {
		return // a file in use cannot be removed there
	}
	// Another process removes the file: the next record creates it again.
	_ = os.Remove(path)
	log.Record(Event{Kind: Call, Tool: "again"})
	if b, err := os.ReadFile(path); err != nil || strings.Count(string(b), "\n") != 1 {
		t.Errorf("%q %v", b, err)
	}
}

// TestRetain: the file and the rotated ones stay within the bytes that are to be kept.
func TestRetain(t *testing.T) {
	if Retain(0) != (FileOptions{}) || Retain(1<<30).MaxBytes != (1<<30)/5 {
		t.Errorf("%+v %+v", Retain(0), Retain(1<<30))
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	file, err := OpenFile(path, Retain(5000))
	if err != nil {
		t.Fatal(err)
	}
	log := New(Options{File: file})
	defer log.Close()
	for range 500 {
		log.Record(Event{Kind: Call, Tool: "t"})
	}
	var sum int64
	files, _ := filepath.Glob(path + "*")
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			sum += info.Size()
		}
	}
	if sum > 5000 || sum < 4000 {
		t.Errorf("%d bytes in %d files", sum, len(files))
	}
}

func BenchmarkRecord(b *testing.B) {
	file, err := OpenFile(filepath.Join(b.TempDir(), "audit.jsonl"), FileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	log := New(Options{File: file, Secrets: []string{"a-secret-key", "another-one"}})
	defer log.Close()
	for b.Loop() {
		log.Record(Event{Kind: Call, Tool: "web_fetch", Caller: "mcp", URL: "https://example.com/a/page?with=a&query=string", FinalURL: "https://example.com/", Decision: Allow, Status: 200})
	}
}

func ExampleMask() {
	fmt.Println(Mask("https://user:hunter2@example.com/?page=2&access_token=abc"))
	// Output: https://***@example.com/?page=2&access_token=***
}
