package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// modulePath is the import path of the root package.
const modulePath = "github.com/spyhop-dev/spyhop"

// layers is the import order of this module. A package imports packages of
// lower layers only, not of its own layer or of a higher one.
//
// Paths are relative to the module; "." is the root package.
var layers = []layerRow{
	{layer: 0, path: "internal/weburl", bans: []ban{noHTTP, noFiles}}, // of net it takes JoinHostPort
	// The public packages: everything that they declare is API, so they import
	// nothing internal, and everything else may build on them.
	{layer: -2, path: "tool", only: []string{}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: -2, path: "llm", only: []string{}, bans: pure},
	{layer: -1, path: "result", only: []string{"tool"}, bans: pure},
	{layer: 0, path: "internal/audit", bans: []ban{noNet, noHTTP}},
	{layer: 0, path: "docs", only: []string{}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 0, path: "internal/oauth", only: []string{}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 0, path: "internal/lru", only: []string{}, bans: pure},
	{layer: 0, path: "internal/tags", only: []string{}, bans: append([]ban{noRegexp}, pure...)},
	{layer: -1, path: "internal/text", only: []string{}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 0, path: "internal/packed", only: []string{}, bans: pure},
	{layer: 1, path: "internal/budget", only: []string{"tool", "llm", "internal/lru", "internal/text"}, bans: pure},
	{layer: 0, path: "internal/wholefile", only: []string{}, bans: []ban{noNet, noHTTP}},
	{layer: 0, path: "internal/principal", only: []string{}, bans: pure},
	{layer: 0, path: "internal/worker", only: []string{}, bans: []ban{noNet, noHTTP}},
	{layer: 1, path: "internal/ocr", only: []string{"internal/text", "internal/worker"}, bans: []ban{noNet, noHTTP, noRegexp}},
	{layer: 0, path: "internal/private", only: []string{}, bans: []ban{noNet, noHTTP}},
	{layer: 0, path: "internal/deadline", only: []string{}, bans: pure},
	{layer: 1, path: "internal/inflight", only: []string{"internal/deadline"}, bans: pure},
	{layer: 1.4, path: "internal/firecrawl", only: []string{"result", "internal/extract/about", "internal/weburl"}, bans: pure},
	{layer: 0, path: "internal/admission", only: []string{}, bans: pure},

	{layer: 0, path: "internal/meaning", only: []string{}, bans: pure},
	{layer: 1, path: "internal/jq", only: []string{"internal/text"}, bans: pure},
	{layer: 1, path: "internal/terms", only: []string{"internal/text"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1, path: "internal/sitemap", only: []string{"internal/weburl", "internal/deadline", "internal/text"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 0, path: "internal/page", only: []string{"result"}, bans: pure}, // the document model: the readers of formats build on it
	{layer: 1, path: "internal/extract/pdf", only: []string{"internal/weburl", "internal/page", "internal/text"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1, path: "internal/extract/document", only: []string{"internal/weburl", "internal/page", "internal/text"}, bans: append([]ban{noRegexp}, pure...)},
	// The stages of reading HTML, in the order of their layers.
	{layer: 1.1, path: "internal/extract/dom", only: []string{"internal/deadline", "internal/weburl", "internal/page", "internal/text", "internal/css"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1.2, path: "internal/extract/blocks", only: []string{"internal/page", "internal/text", "internal/css", "internal/extract/dom"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1.15, path: "internal/extract/date", only: []string{"internal/text", "internal/extract/dom"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1.3, path: "internal/extract/about", only: []string{"result", "internal/weburl", "internal/page", "internal/text", "internal/extract/dom", "internal/extract/date"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1.5, path: "internal/extract/classify", only: []string{"internal/page", "internal/text", "internal/extract/dom", "internal/extract/blocks", "internal/extract/about"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1.6, path: "internal/extract/convert", only: []string{"internal/page", "internal/text", "internal/extract/dom"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1, path: "internal/provenance", only: []string{"internal/weburl", "internal/lru", "internal/principal"}, bans: pure},
	{layer: 1, path: "internal/browser/snapshot", only: []string{"internal/text", "internal/weburl"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 1, path: "internal/warc", only: []string{"internal/weburl"}, bans: []ban{noNet}},
	{layer: 1, path: "internal/egress", only: []string{"internal/weburl", "internal/text"}},

	{layer: 0, path: "internal/css", only: []string{}, bans: append([]ban{noRegexp}, pure...)},

	{layer: 2, path: "internal/egress/corpus", only: []string{"internal/egress", "internal/packed"}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 2, path: "internal/extract", only: []string{"internal/weburl", "internal/page", "internal/text", "internal/css", "internal/extract/pdf", "internal/extract/document",
		"internal/extract/dom", "internal/extract/about", "internal/extract/date", "internal/extract/convert", "internal/extract/blocks", "internal/extract/classify"},
		bans: append([]ban{noRegexp}, pure...)},
	{layer: 2, path: "internal/markdown", only: []string{"result", "internal/weburl", "internal/page", "internal/text"},
		bans: append([]ban{
			noRegexp,
			{"golang.org/x/net/html", "Markdown is made from page.Page, never from a tree: what the page package cannot say has no way around it"},
		}, pure...)},
	{layer: 2, path: "internal/fetch", bans: []ban{
		{"internal/page", "fetch hands over bytes; what they mean is extract's to say"},
		{"golang.org/x/net/html", "fetch hands over bytes; what they mean is extract's to say"},
		noFiles,
	}},
	{layer: 2, path: "internal/sites", only: []string{"internal/weburl", "internal/page", "internal/tags", "internal/text", "internal/jq", "internal/extract/document"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 2, path: "internal/browser"},
	{layer: 2, path: "internal/terminal", only: []string{"internal/text"}, bans: []ban{noNet, noHTTP}},
	{layer: 2, path: "internal/background", only: []string{"internal/private"}, bans: []ban{noHTTP}},
	{layer: 2, path: "internal/model", bans: []ban{noFiles}},
	{layer: 2, path: "internal/frontier", only: []string{"internal/private", "internal/weburl"}, bans: []ban{noHTTP}}, // of net it takes the type of a connection
	{layer: 2, path: "internal/store", only: []string{"internal/admission", "internal/lru", "internal/principal", "internal/private", "internal/wholefile"}, bans: []ban{noNet, noHTTP}},

	{layer: 3, path: "internal/session", only: []string{"result", "internal/text", "internal/browser", "internal/fetch", "internal/principal", "internal/store", "tool", "internal/weburl"}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 3, path: "internal/callrecord", bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 3, path: "internal/search", bans: []ban{noFiles}},
	{layer: 2.5, path: "internal/passage", only: []string{"result", "internal/deadline", "internal/extract", "internal/markdown", "internal/meaning", "internal/page", "internal/terms", "internal/text"}, bans: append([]ban{noRegexp}, pure...)},
	{layer: 2.5, path: "internal/schema", only: []string{"tool", "internal/extract", "internal/text"}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 3, path: "internal/reader", bans: []ban{noNet, noFiles}},

	{layer: 3.5, path: "internal/recall", only: []string{"result", "tool", "internal/deadline", "internal/meaning", "internal/passage", "internal/principal", "internal/reader", "internal/store", "internal/terms", "internal/text", "internal/weburl"}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 4, path: "internal/crawl", bans: []ban{noNet, noFiles}},
	{layer: 4.2, path: "internal/jobs", only: []string{"internal/crawl", "internal/firecrawl", "internal/frontier", "internal/weburl", "result", "tool"}, bans: []ban{noNet, noFiles}},
	{layer: 3, path: "internal/reader/gen", only: []string{}, bans: []ban{noNet, noHTTP}}, // run by go generate
	{layer: 5, path: "internal/toolset", bans: []ban{
		noNet, noFiles,
		{"net/http", "a tool is a declaration and a short handler; clients belong to the engines that it is given"},
		{"internal/egress", "a tool has no connection of its own; the engines that it is given have"},
	}},
	{layer: 4.6, path: "internal/dataset", only: []string{"tool", "result", "llm", "internal/agent", "internal/schema", "internal/text", "internal/weburl"}, bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 4.5, path: "internal/agent", bans: []ban{noNet, noHTTP, noFiles}},
	{layer: 5, path: "internal/serve", only: []string{"docs", "tool", "result", "internal/firecrawl", "internal/principal", "internal/admission", "internal/lru", "internal/text", "internal/weburl", "internal/live", "internal/oauth"}},
	// It shows what the catalog answers; of the engine it takes only how Markdown is read.
	{layer: 4.5, path: "internal/live", only: []string{"tool", "result", "internal/text", "internal/page", "internal/extract"}, bans: []ban{noNet, noFiles}},
	{layer: 5, path: "internal/demosite", only: []string{}},
	{layer: 5, path: "internal/testweb", only: []string{}},              // for tests only
	{layer: 0, path: "internal/wcxb", only: []string{}},                 // for tests only
	{layer: 0, path: "internal/archtest", only: []string{}, bans: pure}, // for tests only
	{layer: 7, path: "internal/e2e", only: []string{}, bans: pure},      // for tests only

	{layer: 6, path: ".", bans: []ban{
		{"golang.org/x/net/html", "the root wires parts and has no rules of its own"},
	}},

	{layer: 6.5, path: "internal/config"},
	{layer: 7, path: "cmd/spyhop"},
	{layer: 7, path: "scripts/tally", only: []string{}},
}

type layerRow struct {
	layer float64 // a fraction orders the stages within one step
	path  string
	// only, where it is not nil, lists the packages of ours that may be
	// imported; else every package of a lower layer may be.
	only []string
	// bans lists imports that are banned although the layer allows them.
	bans []ban
}

// rowOf returns the row of a package.
func rowOf(pkg string) (layerRow, bool) {
	i := slices.IndexFunc(layers, func(r layerRow) bool { return r.path == pkg })
	if i < 0 {
		return layerRow{}, false
	}
	return layers[i], true
}

// ban forbids one import path, and why. A path of ours is relative to the
// module. Bans mean direct imports.
type ban struct{ path, why string }

var (
	noNet    = ban{"net", "only egress talks to the network"}
	noHTTP   = ban{"net/http", "this package has nothing to send and nothing to answer"}
	noFiles  = ban{"os", "no files and no environment here: values come in as arguments"}
	noRegexp = ban{"regexp", "no regular expressions on the way of a page: they cost more than the parse"}

	// pure bans what a transform cannot need: bytes in, values out.
	pure = []ban{
		noNet, noHTTP, noFiles,
		{"crypto/rand", "a transform gives the same answer twice"},
		{"math/rand", "a transform gives the same answer twice"},
		{"math/rand/v2", "a transform gives the same answer twice"},
		{"log", "a transform returns what it has to say"},
		{"log/slog", "a transform returns what it has to say"},
	}

	// everywhere is banned in every package outside tests, save where
	// exempt says otherwise.
	everywhere = []ban{
		{"C", "the binary is static and builds without a C compiler"},
		{"unsafe", "nothing here is worth undefined behaviour"},
		{"plugin", "one static binary"},
		{"testing", "test support lives in _test.go files"},
		{"net/http/httptest", "test support lives in _test.go files"},
		{"net/http/pprof", "its init registers handlers on the default mux"},
		{"expvar", "its init registers handlers on the default mux"},
		{"io/ioutil", "deprecated: io and os have all of it"},
		{"os/exec", "no child processes: what they do on the network is nobody's promise"},
		{"net/rpc", "only egress talks to the network"},
		{"net/smtp", "only egress talks to the network"},
		{"log/syslog", "only egress talks to the network"},
	}

	exempt = map[string][]string{
		"os/exec": {"internal/browser", "internal/search", "internal/worker", "internal/background", "internal/terminal"}, // the user's pager; Chromium; an MCP server on stdio; this program, which reads documents, and which stays
		"testing": {"internal/wcxb"},                                                                                      // it skips the tests of several packages where the benchmark is missing
		"unsafe":  {"internal/worker"},                                                                                    // seccomp and Landlock take pointers to their rules, and no package has calls for them
	}
)

// owners says which packages may import a dependency. Since nobody else can
// name its types, they stand in no signature outside their owner. A key covers
// the paths below it; the longest key that fits decides.
var owners = map[string][]string{
	"golang.org/x/net/html":                  {"internal/extract", "internal/extract/dom", "internal/extract/blocks", "internal/extract/about", "internal/extract/classify", "internal/extract/convert", "internal/extract/document", "internal/css", "internal/search", "internal/sitemap", "internal/tags"},
	"golang.org/x/net/publicsuffix":          {"internal/weburl", "internal/fetch"},
	"golang.org/x/net/idna":                  {"internal/weburl"},
	"golang.org/x/net/http/httpguts":         {"internal/fetch", "internal/egress"},
	"golang.org/x/text":                      {"internal/fetch", "internal/ocr", "internal/weburl", "internal/extract/pdf"},
	"github.com/pdfcpu/pdfcpu":               {"internal/extract/pdf"},
	"golang.org/x/sys":                       {"internal/browser", "internal/worker", "internal/background", "internal/terminal"},
	"github.com/tailscale/hujson":            {"cmd/spyhop"},
	"github.com/yuin/goldmark":               {"internal/extract", "docs"},
	"github.com/emersion/go-message":         {"internal/extract/document"},
	"github.com/go-jose/go-jose/v4":          {"internal/oauth"},
	"github.com/gogs/chardet":                {"internal/fetch"},
	"github.com/google/jsonschema-go":        {"internal/schema"},
	"github.com/itchyny/gojq":                {"internal/jq"},
	"github.com/klauspost/compress":          {"internal/fetch", "internal/store", "internal/frontier", "cmd/spyhop"},
	"github.com/andybalholm/brotli":          {"internal/fetch"},
	"github.com/andybalholm/cascadia":        {"internal/css"},
	"github.com/BurntSushi/toml":             {"internal/config"},
	"github.com/alecthomas/kong":             {"cmd/spyhop"},
	"github.com/jackc/pgx":                   {"internal/frontier"},
	"modernc.org/sqlite":                     {"internal/store", "internal/frontier"},
	"github.com/modelcontextprotocol/go-sdk": {"internal/serve", "internal/search"},
	"github.com/chromedp/chromedp":           {"internal/browser"},
	"github.com/coder/websocket":             {"internal/browser", "internal/serve"},
	"github.com/chromedp/cdproto":            {"internal/browser"},
	"github.com/rogpeppe/go-internal/diff":   {"internal/browser/snapshot", "internal/firecrawl"},
	"github.com/rogpeppe/go-internal":        {}, // for tests only
}

// TestLayers holds every import of every package to the tables above. A red
// line is answered by moving code, not by editing the table.
func TestLayers(t *testing.T) {
	found := importsOf(t, ".")
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		for _, problem := range judgeImports(pkg, found[pkg]) {
			t.Error(problem)
		}
	}
}

// TestRowsAreUsed wants a package for each row of layers and an import for each
// owner of a dependency: a row without effect misleads its reader.
func TestRowsAreUsed(t *testing.T) {
	found := importsOf(t, ".")
	for _, row := range layers {
		if found[row.path] == nil {
			t.Errorf("layers has a row for %s, and there is no such package", row.path)
		}
	}
	for key, packages := range owners {
		for _, pkg := range packages {
			imports := slices.Collect(maps.Keys(found[pkg]))
			// The packages below an owner have rows of their own.
			if !slices.ContainsFunc(imports, func(imp string) bool { return covers(key, imp) }) {
				t.Errorf("owners lets %s import %s, and it does not", pkg, key)
			}
		}
	}
}

// TestLayersCatch shows the rules at work on imports that must not pass.
func TestLayersCatch(t *testing.T) {
	ours := func(p string) string { return modulePath + "/" + p }
	for _, c := range []struct {
		name, pkg, imp string
		want           string // part of the problem; empty: no problem
	}{
		{"downward", "internal/reader", ours("internal/fetch"), ""},
		{"two layers down", "internal/reader", ours("internal/weburl"), ""},
		{"same layer", "internal/fetch", ours("internal/markdown"), "same layer"},
		{"upward", "internal/fetch", ours("internal/reader"), "upward"},
		{"the root from below", "internal/toolset", modulePath, "upward"},
		{"the command imports the root", "cmd/spyhop", modulePath, ""},
		{"not on the short list", "internal/serve", ours("internal/reader"), "may import only"},
		{"page is the document model", "internal/page", ours("tool"), "may import only"},
		{"banned from the library", "internal/extract", "net/http", "nothing to send"},
		{"banned dependency", "internal/markdown", "golang.org/x/net/html", "never from a tree"},
		{"banned below a path", "internal/markdown", "golang.org/x/net/html/atom", "never from a tree"},
		{"an earlier stage", "internal/extract/classify", ours("internal/extract/blocks"), ""},
		{"a later stage", "internal/extract/dom", ours("internal/extract/blocks"), "may import only"},
		{"net/netip is not net", "internal/extract", "net/netip", ""},
		{"banned everywhere", "internal/reader", "os/exec", "no child processes"},
		{"exempt from a ban", "internal/browser", "os/exec", ""},
		{"a dependency's owner", "internal/config", "github.com/BurntSushi/toml", ""},
		{"not the owner", "cmd/spyhop", "github.com/BurntSushi/toml", "belongs to internal/config"},
		{"no owner at all", "internal/fetch", "example.org/new/thing", "has no owner"},
		{"for tests only", "cmd/spyhop", "github.com/rogpeppe/go-internal/testscript", "for tests only"},
		{"package without a row", "internal/util", "fmt", "has no row"},
		{"import without a row", "cmd/spyhop", ours("internal/util"), "has no row"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := judgeImports(c.pkg, map[string]string{c.imp: "file.go:1"})
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("%s imports %s: %q, want no problem", c.pkg, c.imp, got)
			case c.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, c.want) }):
				t.Errorf("%s imports %s: %q, want a problem with %q", c.pkg, c.imp, got, c.want)
			}
		})
	}
}

// judgeImports returns what is wrong with the imports of one package. imports
// maps import paths to the place of the import.
func judgeImports(pkg string, imports map[string]string) []string {
	me, ok := rowOf(pkg)
	if !ok {
		return []string{fmt.Sprintf("package %s has no row: give it a layer in layers (deps_test.go), "+
			"above all that it imports and below all that import it, and a paragraph in ARCHITECTURE.md", pkg)}
	}
	var out []string
	for _, imp := range slices.Sorted(maps.Keys(imports)) {
		at := imports[imp]
		fail := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("%s: %s imports %s: ", at, pkg, imp)+fmt.Sprintf(format, args...))
		}
		rel, ours := relative(imp)
		name := imp
		if ours {
			name = rel
		}
		for _, b := range me.bans {
			if covers(b.path, name) {
				fail("banned: %s", b.why)
			}
		}
		for _, b := range everywhere {
			if covers(b.path, name) && !slices.Contains(exempt[b.path], pkg) {
				fail("banned: %s", b.why)
			}
		}
		if !ours {
			if strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
				if why := judgeOwner(pkg, imp); why != "" {
					fail("%s", why)
				}
			}
			continue
		}
		target, ok := rowOf(rel)
		switch {
		case !ok:
			fail("that package has no row in layers (deps_test.go)")
		case me.only != nil && !slices.Contains(me.only, rel):
			fail("%s may import only %q of ours", pkg, me.only)
		case target.layer == me.layer:
			fail("both are of layer %g, and packages of the same layer do not know each other: move what they share below, or let the caller pass it in", me.layer)
		case target.layer > me.layer:
			fail("upward, from layer %g to layer %g: report upward through a function field instead", me.layer, target.layer)
		}
	}
	return out
}

// judgeOwner returns why pkg may not import a dependency, or "".
func judgeOwner(pkg, imp string) string {
	best := ""
	for key := range owners {
		if covers(key, imp) && len(key) > len(best) {
			best = key
		}
	}
	switch {
	case best == "":
		return "this dependency has no owner: add it to owners (deps_test.go) and to docs/dependencies.md, with the reason"
	case slices.Contains(owners[best], pkg):
		return ""
	case len(owners[best]) == 0:
		return best + " is for tests only"
	}
	return fmt.Sprintf("%s belongs to %s: ask that package for what is needed", best, strings.Join(owners[best], " and "))
}

// covers reports whether imp is path or is below it. Paths of the standard
// library are taken exactly: net is not net/netip.
func covers(path, imp string) bool {
	path = strings.TrimSuffix(path, "/")
	if imp == path {
		return true
	}
	return strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && strings.HasPrefix(imp, path+"/")
}

// relative returns a package of this module as the tables name it.
func relative(imp string) (string, bool) {
	if imp == modulePath {
		return ".", true
	}
	return strings.CutPrefix(imp, modulePath+"/")
}

// importsOf reads the imports of all packages below root, tests aside and for
// every platform: by package, import path and place.
func importsOf(t *testing.T, root string) map[string]map[string]string {
	t.Helper()
	out := make(map[string]map[string]string)
	eachGoFile(t, root, parser.ImportsOnly|parser.ParseComments, func(pkg string, fset *token.FileSet, file *ast.File) {
		if out[pkg] == nil {
			out[pkg] = make(map[string]string)
		}
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			out[pkg][imp] = fset.Position(spec.Pos()).String()
		}
	})
	if len(out) == 0 {
		t.Fatal("no packages found: the test looks in the wrong place")
	}
	return out
}

// eachGoFile parses every Go file of this module outside tests and testdata.
func eachGoFile(t *testing.T, root string, mode parser.Mode, visit func(pkg string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root:
			base := d.Name()
			if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return fs.SkipDir // another module: bench
			}
			return nil
		case d.IsDir(), path.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, name, nil, mode)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(filepath.Dir(name)), fset, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// principalReaders are the packages that may read the principal of a call: surfaces, and
// what stores or counts. A principal that anything else read could change what a
// page says, or what the policy allows.
var principalReaders = []string{
	".",                   // the library's own calls, and the queues before processor work
	"internal/browser",    // whose captures these are
	"cmd/spyhop",          // doctor: two of them in one store
	"internal/config",     // names and quotas of tokens
	"internal/fetch",      // the cache of what was read with credentials
	"internal/provenance", // addresses that a caller gave
	"internal/recall",     // whose versions of an archive's pages are stored
	"internal/serve",      // sets it, and counts calls
	"internal/session",    // logins and states
	"internal/store",      // versions of pages
	"internal/callrecord",
}

// TestPrincipalReaders holds the imports of internal/principal to the list.
func TestPrincipalReaders(t *testing.T) {
	var got []string
	for pkg, imports := range importsOf(t, ".") {
		if _, ok := imports[modulePath+"/internal/principal"]; ok {
			got = append(got, pkg)
		}
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(principalReaders)); !slices.Equal(got, want) {
		t.Errorf("internal/principal is imported by %q, want %q: a context takes the caller through every other package unread", got, want)
	}
}
