package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/egress/corpus"
	"github.com/spyhop-dev/spyhop/tool"
)

// kindReport counts the cases of one kind.
type kindReport struct {
	Kind  string `json:"kind"`
	Cases int    `json:"cases"`
	Wrong int    `json:"wrong"`
}

// miss is a case with a wrong decision.
type miss struct {
	ID     string      `json:"id"`
	URL    string      `json:"url"`
	Want   string      `json:"want"`
	Rule   egress.Rule `json:"rule"`
	Reason string      `json:"why"`
}

// security runs the address cases through the egress policy, runs the leak test,
// and reports what the settings of this machine allow. The exit status is 1 when
// a decision is wrong or a check fails.
func (doctorCmd) security(s *session) error {
	results, err := corpus.Run(s.ctx, egress.Policy{})
	if err != nil {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		return tool.NewError(tool.InvalidInput, "the address cases cannot be run: "+err.Error(), "reinstall spyhop")
	}
	var kinds []kindReport
	var misses []miss
	for _, r := range results {
		i := slices.IndexFunc(kinds, func(k kindReport) bool { return k.Kind == r.Kind() })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, kindReport{Kind: r.Kind()})
		}
		kinds[i].Cases++
		if !r.Right() {
			kinds[i].Wrong++
			want := "block"
			if r.Allow {
				want = "allow"
			}
			misses = append(misses, miss{r.ID, r.URL[:min(len(r.URL), 200)], want, r.Decision.Rule, r.Why})
		}
	}
	cases := check{Name: "cases", State: "ok", Detail: fmt.Sprintf("%d of %d addresses decided correctly by the default policy", len(results)-len(misses), len(results))}
	if misses != nil {
		cases.State, cases.Fix = "fail", "do not use this copy; report it as described in SECURITY.md"
	}
	checks := []check{cases}
	if settings, err := s.settings(); err != nil {
		checks = append(checks, check{"settings", "fail", err.Error(), "spyhop config --help explains the sources"})
	} else {
		checks = append(checks, checkOpenings(settings.Values), checkUpstream(settings.Values))
	}
	checks = append(checks, checkWorker(probeWorker(s.ctx)), checkLeaks(s, "browser", spyhop.BrowserHelper{}))
	if err := s.helper.Probe(); err != nil {
		checks = append(checks, check{Name: "namespace", State: "ok", Detail: "not available: " + err.Error() + "; only the browser's flags send its traffic through the policy's proxy"})
	} else {
		checks = append(checks, checkLeaks(s, "namespace", s.helper))
	}

	if s.cli.JSON {
		s.print(map[string]any{"ok": !anyFailed(checks), "kinds": kinds, "misses": misses, "checks": checks})
	} else {
		for _, k := range kinds {
			fmt.Fprintf(s.stdout, "%-10s %3d of %3d\n", printable(k.Kind), k.Cases-k.Wrong, k.Cases)
		}
		for _, m := range misses {
			fmt.Fprintf(s.stdout, "wrong: %s %s: want %s (%s)\n", printable(m.ID), printable(m.URL), m.Want, printable(m.Reason))
		}
		printChecks(s, checks)
	}
	if anyFailed(checks) {
		return failed(1)
	}
	return nil
}

func anyFailed(checks []check) bool {
	return slices.ContainsFunc(checks, func(c check) bool { return c.State == "fail" })
}

// checkOpenings reports what the settings allow in addition to the default.
func checkOpenings(v config.Values) check {
	var open []string
	if len(v.AllowPrivate) > 0 {
		open = append(open, "WEB_ALLOW_PRIVATE="+strings.Join(v.AllowPrivate, ","))
	}
	if v.HTTP == "allow" {
		open = append(open, "WEB_HTTP=allow")
	}
	if open == nil {
		return check{Name: "allowed", State: "ok", Detail: "none: private addresses are blocked, and http addresses without a port are upgraded or refused"}
	}
	return check{"allowed", "warn", strings.Join(open, " "), "every caller, page and model can reach these addresses: keep the list short, and give each entry a port"}
}

// probeWorker starts a process that reads documents, which tries what it may not do.
// ok is false where documents are read in this process.
func probeWorker(ctx context.Context) (facts spyhop.WorkerFacts, ok bool, err error) {
	c, err := spyhop.New(spyhop.Config{EnvironmentHints: true})
	if err != nil {
		return spyhop.WorkerFacts{}, false, err
	}
	defer c.Close()
	return c.CheckWorker(ctx)
}

func checkWorker(facts spyhop.WorkerFacts, ok bool, err error) check {
	could := "the process that reads documents could " + strings.Join(facts.Could, ", ")
	switch {
	case err != nil:
		return check{"worker", "fail", "documents cannot be read: " + cause(err), "allow spyhop to start itself again"}
	case !ok:
		return check{"worker", "fail", "documents are read in the process of spyhop, which has files and a network", "report it as described in SECURITY.md"}
	case len(facts.Could) > 0 && len(facts.Held) > 0:
		return check{"worker", "fail", could, "report it as described in SECURITY.md"}
	case len(facts.Could) > 0:
		return check{"worker", "warn", could + ": this system confines no process from within", "read documents of strangers on Linux"}
	}
	return check{Name: "worker", State: "ok", Detail: "the process that reads documents could not open a file or a socket, use what its parent has open, or start a program (" + strings.Join(facts.Held, ", ") + ")"}
}

// checkLeaks opens a test page in the browser of this machine. The page tries to
// bypass the policy's proxy in every way that a page can; listeners on this
// machine count the connections that arrive. With a helper, the browser runs in
// a network namespace; without one, only its flags redirect its traffic.
func checkLeaks(s *session, name string, helper spyhop.BrowserHelper) check {
	bad := func(err error) check {
		if e := tool.AsError(err); e.Type == tool.BrowserMissing {
			return check{name, "warn", "not tested: " + e.Message, e.Hint}
		}
		return check{name, "fail", "the leak test did not finish: " + cause(err), "run it again; if it fails again, report it as described in SECURITY.md"}
	}
	canaries, err := egress.ListenCanaries()
	if err != nil {
		return bad(err)
	}
	defer canaries.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return bad(err)
	}
	site := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, browser.LeakPage(canaries.Hosts, canaries.UDP))
	})}
	go func() { _ = site.Serve(listener) }()
	defer site.Close()
	o := spyhop.Config{EnvironmentHints: true, BrowserHelper: helper, AllowPrivate: []string{listener.Addr().String()}}
	if settings, err := s.settings(); err == nil {
		o.Browser = settings.Values.Browser
	}
	client, err := spyhop.New(o)
	if err != nil {
		return bad(err)
	}
	defer client.Close()
	s.screen.start("testing the browser")
	defer s.screen.clear()
	for _, step := range []struct{ tool, args string }{
		{"navigate_to_url", `{"url":"http://` + listener.Addr().String() + `/","wait_until":"commit"}`},
		{"browser_wait_for", `{"tab":"t1","text":"` + browser.LeakDone + `"}`},
	} {
		if _, err := client.Call(s.ctx, step.tool, json.RawMessage(step.args), spyhop.CallOptions{Caller: "doctor", Given: true}); err != nil {
			return bad(err)
		}
	}
	return leaked(name, canaries.Hits(), len(canaries.Hosts)+1)
}

// leaked is the row of a leak test that has ended.
func leaked(name string, hits []string, addresses int) check {
	if len(hits) > 0 {
		return check{name, "fail", "connections bypassed the proxy: " + strings.Join(hits, ", "), "do not use the browser tools; report it as described in SECURITY.md"}
	}
	return check{Name: name, State: "ok", Detail: fmt.Sprintf("a test page tried to reach %d internal addresses in every way that a page can; nothing bypassed the proxy", addresses)}
}

// checkUpstream reports how an upstream proxy weakens the policy.
func checkUpstream(v config.Values) check {
	p := egress.Policy{Proxy: v.Proxy}
	if v.Proxy == "" {
		return check{Name: "upstream", State: "ok", Detail: "no WEB_PROXY: spyhop connects directly to the addresses that the policy allows"}
	}
	return check{"upstream", "warn", "WEB_PROXY=" + p.ProxyAddress() + " gets the address that the policy allowed; spyhop cannot check what the proxy connects to",
		"use a proxy that you trust as much as your own network; names are still resolved on this machine"}
}
