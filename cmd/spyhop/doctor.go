package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

type doctorCmd struct {
	Security bool `help:"Run the address cases of the guard instead, and tell what the settings open."`
}

func (doctorCmd) Help() string {
	return `Checks what spyhop needs on this machine and how to fix what is missing. Nothing is
sent anywhere. Exit status 1 when a check fails; warnings do not count.

With --security, the address cases that come with the program go through its guard:
how many of each kind were judged right, which were not, and what the settings of
this machine open. Nothing is sent and no name is resolved.
` + exitHelp
}

// check is a line of the report.
type check struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, warn, fail
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
}

func (d doctorCmd) Run(s *session) error {
	if d.Security {
		return d.security(s)
	}
	checks := []check{{Name: "spyhop", State: "ok",
		Detail: fmt.Sprintf("%s, %s, %s/%s", spyhop.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)}}
	settings, err := s.settings()
	if err != nil {
		checks = append(checks, check{"settings", "fail", err.Error(), "spyhop config --help explains the sources"})
		settings = &config.Settings{}
	} else {
		checks = append(checks, checkSettings(s, settings), checkDataDir(settings.Values.DataDir))
		if c, err := s.client(); err == nil { // else the settings' check has said it
			checks = append(checks, checkCache(s.ctx, c))
			c.Close()
		}
	}
	if settings.Values.Proxy != "" {
		checks = append(checks, checkUpstream(settings.Values))
	}
	if opened := checkOpenings(settings.Values); opened.State != "ok" {
		checks = append(checks, opened)
	}
	if server := checkServer(settings.Values); server.State != "ok" {
		checks = append(checks, server)
	}
	checks = append(checks, checkResolver("/etc/resolv.conf"), checkProxies(os.LookupEnv),
		checkBrowser(settings.Values, s.helper), checkModel(settings.Values))
	if s.cli.JSON {
		s.print(map[string]any{"ok": !anyFailed(checks), "checks": checks})
	} else {
		printChecks(s, checks)
	}
	if anyFailed(checks) {
		return failed(1)
	}
	return nil
}

func printChecks(s *session, checks []check) {
	for _, c := range checks {
		fmt.Fprintf(s.stdout, "%-4s  %-9s %s\n", c.State, c.Name, printable(c.Detail))
		if c.Fix != "" {
			fmt.Fprintf(s.stdout, "      %-9s fix: %s\n", "", printable(c.Fix))
		}
	}
}

func checkSettings(s *session, settings *config.Settings) check {
	c := check{Name: "settings", State: "ok", Detail: "defaults"}
	if settings.File != "" {
		c.Detail = settings.File
	}
	set := 0
	for _, v := range settings.All {
		if v.Origin != config.Default {
			set++
		}
	}
	if set > 0 {
		c.Detail += fmt.Sprintf(", %d set", set)
	}
	client, err := s.idle()
	if err != nil {
		c.State, c.Detail, c.Fix = "fail", err.Error(), "spyhop config prints where each value came from"
		return c
	}
	client.Close()
	return c
}

// checkDataDir writes a file and takes it away again.
func checkDataDir(dir string) check {
	c := check{Name: "data", State: "ok", Detail: dir + " can be written"}
	fail := func(err error) check {
		return check{"data", "fail", dir + " cannot be written: " + cause(err), "set WEB_DATA_DIR to a folder of yours"}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fail(err)
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return fail(err)
	}
	name := f.Name()
	_, err = f.WriteString("spyhop")
	if e := f.Close(); err == nil {
		err = e
	}
	if e := os.Remove(name); err == nil {
		err = e
	}
	if err != nil {
		return fail(err)
	}
	return c
}

// checkCache tells where the cache is and how large; what is wrong with it is
// said.
func checkCache(ctx context.Context, client *spyhop.Client) check {
	stats, err := client.CacheStats(ctx)
	switch {
	case err != nil:
		return check{"cache", "warn", err.Error(), "everything works without, a little slower"}
	case stats.File == "":
		return check{Name: "cache", State: "ok", Detail: "off"}
	}
	return check{Name: "cache", State: "ok", Detail: fmt.Sprintf("%s: %d answers and versions, %s of %s", stats.File, stats.Items, size(stats.Bytes), size(stats.Limit))}
}

// checkResolver looks for the name servers that Go's resolver will ask.
func checkResolver(file string) check {
	f, err := os.Open(file)
	if err != nil {
		if runtime.GOOS == "windows" {
			return check{Name: "resolver", State: "ok", Detail: "the system's"}
		}
		return check{"resolver", "warn", file + " cannot be read; names are asked of 127.0.0.1", "add a line: nameserver ADDRESS"}
	}
	defer f.Close()
	n := 0
	lines := bufio.NewScanner(io.LimitReader(f, 1<<20))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "nameserver" {
			n++
		}
	}
	if n == 0 {
		return check{"resolver", "warn", file + " names no server; names are asked of 127.0.0.1", "add a line: nameserver ADDRESS"}
	}
	return check{Name: "resolver", State: "ok", Detail: fmt.Sprintf("name servers in %s: %d", file, n)}
}

// checkProxies tells that proxies of the environment are not used.
func checkProxies(env func(string) (string, bool)) check {
	var set []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		if v, _ := env(name); v != "" {
			set = append(set, name)
		}
	}
	if set == nil {
		return check{Name: "proxy", State: "ok", Detail: "none in the environment"}
	}
	return check{"proxy", "warn", strings.Join(set, ", ") + " ignored: a proxy would dial what the policy cannot judge",
		"unset them to be rid of this line; WEB_PROXY is for a proxy of your own"}
}

// checkBrowser looks for the browser that the tools would start, and says what
// it would be held by.
func checkBrowser(v config.Values, helper spyhop.BrowserHelper) check {
	path, err := browser.Find(v.Browser, v.BrowserHeaded)
	var missing *tool.Error
	switch {
	case errors.As(err, &missing) && v.Browser != "":
		return check{"browser", "fail", missing.Message, missing.Hint}
	case errors.As(err, &missing):
		return check{"browser", "warn", missing.Message, missing.Hint}
	}
	c := check{Name: "browser", State: "ok", Detail: path}
	if err := helper.Probe(); err != nil {
		c.Detail += ", led through the guard by its flags alone: " + err.Error()
	} else {
		c.Detail += ", in a network namespace whose only way out is the guard"
	}
	if os.Getuid() == 0 {
		c.Detail += ", as root without its own sandbox (--no-sandbox)"
	}
	return c
}

func checkModel(v config.Values) check {
	if v.Model == "" {
		return check{Name: "model", State: "ok", Detail: "none; no tool of this version needs one"}
	}
	return check{Name: "model", State: "ok", Detail: v.Model}
}
