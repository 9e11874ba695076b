package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/model"
	"github.com/spyhop-dev/spyhop/internal/private"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

type doctorCmd struct {
	Security bool `help:"Test the egress policy and the browser instead, and list what the settings allow."`
}

// check is a line of the report.
type check struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, warn, fail
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
}

func (d doctorCmd) run(s *session) error {
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
		checkBrowser(s.ctx, settings.Values, s.helper), checkModel(settings.Values))
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
	colours := map[string]string{"ok": green, "warn": yellow, "fail": red}
	line := func(text string) {
		fmt.Fprintln(s.stdout, terminal.Wrap(text, s.screen.columns, strings.Repeat(" ", 16)))
	}
	for _, c := range checks {
		line(s.screen.paintOut(colours[c.State], fmt.Sprintf("%-4s", c.State)) + fmt.Sprintf("  %-9s %s", c.Name, printable(c.Detail)))
		if c.Fix != "" {
			line(fmt.Sprintf("      %-9s fix: %s", "", printable(c.Fix)))
		}
	}
}

func checkSettings(s *session, settings *config.Settings) check {
	c := check{Name: "settings", State: "ok", Detail: "defaults"}
	var set []string
	for _, v := range settings.All {
		if v.Origin != config.Default {
			set = append(set, v.Name)
		}
	}
	if len(set) > 0 {
		c.Detail += ", except " + strings.Join(set, ", ")
	}
	if settings.File != "" {
		c.Detail = settings.File + ": " + c.Detail
	}
	client, err := s.idle()
	if err != nil {
		c.State, c.Detail, c.Fix = "fail", err.Error(), "spyhop config prints where each value came from"
		return c
	}
	client.Close()
	return c
}

// checkDataDir writes a file to the data folder and removes it again.
func checkDataDir(dir string) check {
	const fix = "set WEB_DATA_DIR to a folder of your own that you can write to"
	if dir == "" {
		return check{"data", "warn", "there is no home folder, so nothing is kept", fix}
	}
	err := private.Dir(dir)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".doctor-*"); err == nil {
			_, err = f.WriteString("spyhop")
			err = cmp.Or(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return check{"data", "fail", dir + " cannot be used: " + cause(err), fix}
	}
	return check{Name: "data", State: "ok", Detail: dir + " is writable"}
}

// checkCache reports the cache's file and size, or why it cannot be used.
func checkCache(ctx context.Context, client *spyhop.Client) check {
	stats, err := client.CacheStats(ctx)
	switch {
	case err != nil:
		return check{"cache", "warn", err.Error(), "spyhop works without a cache, but reads each page again"}
	case stats.File == "":
		return check{Name: "cache", State: "ok", Detail: "off"}
	}
	return check{Name: "cache", State: "ok", Detail: fmt.Sprintf("%s: %s of %s; answers and versions: %d", stats.File, size(stats.Bytes), size(stats.Limit), stats.Items)}
}

// checkResolver counts the name servers that Go's resolver will use.
func checkResolver(file string) check {
	text, err := os.ReadFile(file)
	if err != nil && runtime.GOOS == "windows" {
		return check{Name: "resolver", State: "ok", Detail: "the system's"}
	}
	if n := len(regexp.MustCompile(`(?m)^\s*nameserver\s+\S`).FindAll(text, -1)); n > 0 {
		return check{Name: "resolver", State: "ok", Detail: fmt.Sprintf("name servers in %s: %d", file, n)}
	}
	return check{"resolver", "warn", file + " lists no name server, so DNS queries go to 127.0.0.1", "add a line: nameserver ADDRESS"}
}

// checkProxies warns that proxies from the environment are ignored.
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
	return check{"proxy", "warn", strings.Join(set, ", ") + " ignored: the policy cannot check what a proxy connects to",
		"set WEB_PROXY to use a proxy that you trust; unset these variables to remove this warning"}
}

// checkBrowser starts the browser that the tools would start, and reports what
// confines it: the network namespace, its own sandbox, its user id.
func checkBrowser(ctx context.Context, v config.Values, helper spyhop.BrowserHelper) check {
	if v.BrowserCDP != "" {
		if _, err := helper.CheckBrowser(ctx, spyhop.Config{BrowserCDP: v.BrowserCDP}); err != nil {
			e := tool.AsError(err)
			return check{"browser", "fail", e.Message, e.Hint}
		}
		return check{"browser", "warn", "the running browser at " + v.BrowserCDP + ": the egress policy checks the URLs that tools open, and cannot hold what this browser loads by itself; web_fetch renders pages in a browser of its own",
			"unset WEB_BROWSER_CDP for a browser whose only exit is the policy's proxy"}
	}
	path, err := browser.Find(v.Browser, v.BrowserHeaded)
	var missing *tool.Error
	switch {
	case errors.As(err, &missing) && v.Browser != "":
		return check{"browser", "fail", missing.Message, missing.Hint}
	case errors.As(err, &missing):
		return check{"browser", "warn", missing.Message, missing.Hint}
	}
	f, err := helper.CheckBrowser(ctx, spyhop.Config{Browser: v.Browser, BrowserHeaded: v.BrowserHeaded, BrowserUID: v.BrowserUID, DataDir: v.DataDir, BrowserProfile: v.BrowserProfile})
	if err != nil {
		e := tool.AsError(err)
		return check{"browser", "fail", e.Message, e.Hint}
	}
	if v.BrowserProfile != "" {
		return check{"browser", "warn", path + " with the profile " + v.BrowserProfile + ", " + confinement(f, func() error { return errors.New("a profile that is kept has its proxy from the start") }),
			"unset WEB_BROWSER_PROFILE for a browser in a network namespace"}
	}
	return check{Name: "browser", State: "ok", Detail: path + ", " + confinement(f, helper.Probe)}
}

// confinement says what confines a browser; probe says why it has no namespace.
func confinement(f spyhop.BrowserFacts, probe func() error) string {
	network := "in a network namespace whose only exit is the policy's proxy"
	if !f.Namespace {
		network = "sent through the policy's proxy only by the browser's flags, because there is no network namespace"
		if err := probe(); err != nil {
			network += ": " + err.Error()
		}
	}
	sandbox := "with its own sandbox"
	if !f.Sandbox {
		sandbox = "without its own sandbox (--no-sandbox)"
	}
	if f.UID < 0 {
		return network + ", " + sandbox
	}
	return fmt.Sprintf("%s, under the user id %d, %s", network, f.UID, sandbox)
}

func checkModel(v config.Values) check {
	const enables = "spyhop ask, and answers to prompts and schemas of web_fetch"
	if v.Model == "" {
		return check{Name: "model", State: "ok", Detail: "none; one would enable " + enables + " (without it, the passages that match). WEB_MODEL=PROVIDER/NAME sets it; the providers are " + strings.Join(model.Providers(), ", ")}
	}
	var endpoint weburl.URL
	if v.ModelURL != "" {
		endpoint, _ = weburl.Parse(v.ModelURL) // the settings' check says what is wrong
	}
	if missing := model.MissingKey(v.Model, endpoint, v.ModelKeys[model.KeySetting(v.Model)]); missing != "" {
		return check{"model", "warn", v.Model + " needs " + missing + ", which is not set", "set " + missing + " to your key; without it, " + enables + " do not work"}
	}
	return check{Name: "model", State: "ok", Detail: v.Model + ", for " + enables}
}
