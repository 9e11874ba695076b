//go:build unix

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals: a server on sockets of systemd answers on each of them, takes tokens and lists again on SIGHUP,
// keeps the old ones when a file is wrong, and ends on SIGTERM.
func TestSignals(t *testing.T) {
	var all []net.Listener
	var files []*os.File
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		socket, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		defer socket.Close()
		all, files = append(all, l), append(files, socket)
	}
	l := all[0]
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, tokens := filepath.Join(dir, "spyhop"), filepath.Join(dir, "tokens.toml")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	write := func(token string) {
		sum := sha256.Sum256([]byte(token))
		text := fmt.Sprintf("[[token]]\nname = \"ann\"\nsha256 = %q\n", hex.EncodeToString(sum[:]))
		if token == "" {
			text = ""
		}
		if err := os.WriteFile(tokens, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a0")
	c := exec.CommandContext(t.Context(), "/bin/sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=3 LISTEN_FDNAMES=spyhop.socket:admin:spyhop.socket exec "$0" serve`, program)
	c.ExtraFiles = files // file descriptors from 3 on
	c.Env = []string{"HOME=" + dir, "WEB_DATA_DIR=" + filepath.Join(dir, "data"), "WEB_SERVE_TOKENS=" + tokens}
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	said := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
			t.Log(lines.Text())
		}
		t.Fatalf("not said: %s", part)
	}
	status := func(token string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+l.Addr().String()+"/v1/tools", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return res.StatusCode
	}
	are := func(a, b int) {
		t.Helper()
		if x, y := status("a0"), status("b0"); x != a || y != b {
			t.Errorf("a0: %d, b0: %d, want %d and %d", x, y, a, b)
		}
	}
	signal := func(s os.Signal) {
		t.Helper()
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	said("admin listener at http://" + all[1].Addr().String() + "/readyz")
	said("serving at http://" + l.Addr().String() + " and http://" + all[2].Addr().String())
	for url, want := range map[string]string{"http://" + all[1].Addr().String() + "/readyz": "server: ok", "http://" + all[2].Addr().String() + "/healthz": "ok\n"} {
		res, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != 200 || !strings.HasPrefix(string(body), want) {
			t.Errorf("%s: %d %s", url, res.StatusCode, body)
		}
	}
	are(200, 401) // the signals are taken before anything is answered
	write("b0")
	signal(syscall.SIGHUP)
	said("read the settings and tokens again: 1 token instead of 1")
	are(401, 200)
	write("")
	signal(syscall.SIGHUP)
	said("the settings and tokens stay as they were: WEB_SERVE_TOKENS has none")
	are(401, 200)
	write("b0")
	settings := filepath.Join(dir, ".config", "spyhop", "config.toml")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	configure := func(text string) {
		t.Helper()
		if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		signal(syscall.SIGHUP)
	}
	refused := func(want bool) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+l.Addr().String()+"/v1/tools/web_fetch", strings.NewReader(`{"url":"http://10.0.0.1/"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer b0")
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		if strings.Contains(string(body), "is on the block list") != want {
			t.Errorf("on the block list: not %t: %s", want, body)
		}
	}
	refused(false)
	configure("web_domain_blocklist = ['10.0.0.1']\nweb_serve_max_sessions = 5\nweb_serve_max_jobs = 5\nweb_serve_max_calls = 5\nweb_serve_max_connections = 500\nweb_serve_grace = '5s'\nweb_serve_delay = '0.05s'\nweb_allow_private = ['10.0.0.2']\nweb_http = 'refuse'\n")
	said("1 token instead of 1; changed: WEB_DOMAIN_BLOCKLIST, WEB_SERVE_MAX_CALLS, WEB_SERVE_MAX_CONNECTIONS, WEB_SERVE_MAX_SESSIONS, WEB_SERVE_MAX_JOBS, WEB_SERVE_GRACE, WEB_SERVE_DELAY; restart the server to change ")
	refused(true)
	configure("web_domain_blocklist = ['a b']\n")
	said("the settings and tokens stay as they were: ")
	refused(true)
	configure("")
	said("1 token instead of 1; changed: WEB_DOMAIN_BLOCKLIST, WEB_SERVE_MAX_CALLS, WEB_SERVE_MAX_CONNECTIONS, WEB_SERVE_MAX_SESSIONS, WEB_SERVE_MAX_JOBS")
	refused(false)
	signal(syscall.SIGTERM)
	said("ending when the running calls have ended")
	_, _ = io.Copy(io.Discard, stderr)
	if err := c.Wait(); err != nil {
		t.Errorf("ended by %v", err)
	}
}

// TestStuckLog: a server whose log is read by nobody answers, and ends on SIGTERM.
func TestStuckLog(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, file := filepath.Join(dir, "spyhop"), filepath.Join(dir, "ready")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(ends[0]) // never read
	if err := syscall.SetNonblock(ends[1], true); err != nil {
		t.Fatal(err)
	}
	for err = nil; err == nil; _, err = syscall.Write(ends[1], make([]byte, 512)) {
	}
	if err := syscall.SetNonblock(ends[1], false); err != nil {
		t.Fatal(err)
	}
	full := os.NewFile(uintptr(ends[1]), "log")
	defer full.Close()
	c := exec.CommandContext(t.Context(), program, "serve", "--listen", "127.0.0.1:0", "--ready-file", file)
	c.Env = []string{"HOME=" + dir, "WEB_DATA_DIR=" + filepath.Join(dir, "data"), "WEB_ACCESS_LOG=text"}
	c.Stderr = full
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var url []byte
	for range 2000 { // ten seconds, as in ready
		if url, _ = os.ReadFile(file); len(url) > 0 {
			break
		}
		<-time.After(5 * time.Millisecond)
	}
	client := http.Client{Timeout: time.Minute} // a server that hangs fails the test
	for range 3 {
		res, err := client.Get(strings.TrimSpace(string(url)) + "/v1/tools")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it does not end")
	}
}

// TestTerminated: SIGTERM, with which a container or a machine ends, leaves a job that can
// go on, and a worker that gives back what it has.
func TestTerminated(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
		exit int
	}{
		"a crawl":  {[]string{"crawl", "URL"}, "go on with: spyhop crawl --resume c1", 130},
		"a batch":  {[]string{"batch", "FILE"}, "go on with: spyhop batch --resume c1", 130},
		"a worker": {[]string{"crawl", "worker"}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			requested := make(chan struct{}, 10)
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/held" {
					http.NotFound(w, r)
					return
				}
				requested <- struct{}{}
				<-r.Context().Done()
			}))
			defer site.Close()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			program, file := filepath.Join(dir, "spyhop"), filepath.Join(dir, "addresses.txt")
			if err := os.Symlink(self, program); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(site.URL+"/held\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			command := func(args ...string) *exec.Cmd {
				for i, a := range args {
					args[i] = strings.NewReplacer("URL", site.URL+"/held", "FILE", file).Replace(a)
				}
				c := exec.CommandContext(t.Context(), program, args...)
				c.Env = []string{"HOME=" + dir, "WEB_DATA_DIR=" + filepath.Join(dir, "data"), "WEB_HTTP=allow", "WEB_ALLOW_PRIVATE=" + site.Listener.Addr().String()}
				return c
			}
			if name == "a worker" {
				if out, err := command("crawl", "--detach", "URL").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			run := command(c.args...)
			var stderr strings.Builder
			run.Stderr = &stderr
			if err := run.Start(); err != nil {
				t.Fatal(err)
			}
			<-requested
			if err := run.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = run.Wait()
			if run.ProcessState.ExitCode() != c.exit || !strings.Contains(stderr.String(), c.says) {
				t.Errorf("%v, want exit status %d and %q:\n%s", run.ProcessState, c.exit, c.says, stderr.String())
			}
		})
	}
}

// TestActivated: sockets that are for another process, or too many, are not taken.
func TestActivated(t *testing.T) {
	for _, c := range []struct {
		pid, fds string
		refused  bool
	}{{"", "1", false}, {"8", "1", false}, {"7", "1000", true}, {"7", "0", true}, {"7", "-1", true}, {"7", "", true}} {
		env := map[string]string{"LISTEN_PID": c.pid, "LISTEN_FDS": c.fds}
		s, err := activated(func(name string) string { return env[name] }, 7)
		if s.calls != nil || s.admin != nil || (err != nil) != c.refused {
			t.Errorf("%+v: %v %v", c, s, err)
		}
	}
}
