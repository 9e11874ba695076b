package egress

import (
	_ "embed"
	"strings"
	"sync"
)

// homeText lists the hosts, with their subdomains, to which browsers send requests of their
// own, and what for. Flags of the browser prevent most of these requests; this table refuses
// the rest. A star says that pages are served from there too.
//
//go:embed home.txt
var homeText string

type homeRow struct {
	host, use string
	shared    bool
}

var homeRows = sync.OnceValue(func() (rows []homeRow) {
	for line := range strings.Lines(homeText) {
		host, use, _ := strings.Cut(strings.TrimSpace(line), " ")
		host, shared := strings.CutPrefix(host, "*")
		rows = append(rows, homeRow{host, strings.TrimSpace(use), shared})
	}
	return rows
})

// CallsHome reports whether a canonical host is one that browsers call of
// their own accord: own, and whether pages need it too, so that [Proxy.Admit]
// can open it. A [Proxy] refuses them; other ways out do not, since there no
// browser is at work.
func CallsHome(host string) (own, shared bool) {
	host = strings.TrimSuffix(host, ".")
	for _, r := range homeRows() {
		if host == r.host || strings.HasSuffix(host, "."+r.host) {
			return true, r.shared
		}
	}
	return false, false
}
