package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

type policyCmd struct {
	Check policyCheckCmd `cmd:"" help:"Report whether a fetch of a URL would be allowed, and why."`
}

type policyCheckCmd struct {
	URL   string `arg:"" optional:"" name:"url" help:"URL to check. Its hostname is resolved; nothing is sent to the host."`
	Batch string `help:"Check each line of a file (- is stdin), without any network access." placeholder:"FILE"`
}

func (c *policyCheckCmd) run(s *session) error {
	if (c.URL == "") == (c.Batch == "") {
		return tool.NewError(tool.InvalidInput, "policy check needs either a URL or --batch FILE", "spyhop policy check --help shows how")
	}
	if c.Batch != "" {
		return c.batch(s)
	}
	client, err := s.idle()
	if err != nil {
		return err
	}
	defer client.Close()
	asked := c.URL
	if _, err := weburl.Parse(asked); err != nil {
		if _, err := weburl.ParseLenient(asked); err == nil {
			asked = "https://" + asked // as fetch does
		}
	}
	canonical, d := client.Check(s.ctx, asked)
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if s.cli.JSON {
		s.print(verdictOf(canonical, d))
	} else {
		printDecision(s, canonical, d)
	}
	if !d.Allowed {
		return failed(tool.ExitBlocked)
	}
	return nil
}

func printDecision(s *session, canonical string, d spyhop.Decision) {
	line := func(name, value string) {
		if value != "" {
			line := s.screen.paintOut(faint, fmt.Sprintf("%-9s", name)) + " " + value
			fmt.Fprintln(s.stdout, terminal.Wrap(line, s.screen.columns, strings.Repeat(" ", 10)))
		}
	}
	code := green
	if !d.Allowed {
		code = red
	}
	line("decision", s.screen.paintOut(code, decision(d.Allowed)))
	line("rule", printable(d.Rule))
	line("reason", printable(d.Reason))
	line("url", printable(canonical))
	line("hint", printable(d.Hint))
}

// policyCase is a line of a batch, policyVerdict a line of the output.
type policyCase struct {
	ID  json.RawMessage     `json:"id"`
	URL string              `json:"url"`
	DNS map[string][]string `json:"dns"`
}

type policyVerdict struct {
	ID        json.RawMessage `json:"id,omitempty"`
	Decision  string          `json:"decision"`
	Rule      string          `json:"rule"`
	Canonical string          `json:"canonical_url"`
	Reason    string          `json:"reason,omitempty"`
	Hint      string          `json:"hint,omitempty"`
}

func verdictOf(canonical string, d spyhop.Decision) policyVerdict {
	return policyVerdict{Decision: decision(d.Allowed), Rule: d.Rule, Canonical: canonical, Reason: d.Reason, Hint: d.Hint}
}

func decision(allowed bool) string {
	if allowed {
		return "allow"
	}
	return "block"
}

// batch decides about each case as a fetch would, with the names of the case instead of
// DNS. A name that it does not have is a public host of IANA's; no connection is opened.
func (c *policyCheckCmd) batch(s *session) error {
	o, _, err := s.unlogged()
	if err != nil {
		return err
	}
	names := new(struct{ egress.Resolver })
	o.Resolver = names
	client, err := spyhop.New(o)
	if err != nil {
		return err
	}
	defer client.Close()
	out := lineWriter{w: s.stdout}
	return eachRow(s, c.Batch, "case", `use lines such as {"id":"a","url":"https://example.com/"}`, func(row policyCase) error {
		names.Resolver = egress.StaticResolver(row.DNS, netip.AddrFrom4([4]byte{93, 184, 215, 14}))
		canonical, d := client.Check(s.ctx, row.URL)
		return out.encode(policyVerdict{ID: row.ID, Decision: decision(d.Allowed), Rule: d.Rule, Canonical: canonical})
	})
}

// open opens a file, or stdin for "-".
func (s *session) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(s.input()), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, tool.NewError(tool.InvalidInput, "cannot read "+name+": "+cause(err), "check the path and its permissions")
	}
	return f, nil
}
