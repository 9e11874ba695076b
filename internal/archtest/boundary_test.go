package archtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// boundaries lists what only some packages may touch. A name is a package-level
// object ("net.Dial") or a method ("net.ListenConfig.ListenPacket"); a name
// that ends in "*" covers all that begin so; a type covers its values and
// methods, however they were come by.
//
// The check works on types: an import alias, a dot import, an alias or an
// embedding of the type, a method value and a value from another package are all
// detected.
var boundaries = []struct {
	why    string
	keeper []string // packages that may
	names  []string
}{
	{
		why:    "only egress dials: everything that leaves passes its policy, on the address that is dialled",
		keeper: []string{"internal/egress", "internal/background"}, // background dials the socket of the user's own process
		names: []string{
			"net.Dial*", "net.Dialer", "net.DialTimeout",
			"net.Lookup*", "net.Resolver", "net.DefaultResolver", "net.Resolve*Addr",
			// A packet socket sends without dialling, and a file can be a socket.
			"net.ListenPacket", "net.ListenUDP", "net.ListenIP", "net.ListenMulticastUDP", "net.ListenUnixgram",
			"net.ListenConfig.ListenPacket", "net.FileConn", "net.FilePacketConn",
			"crypto/tls.Dial*",
			"net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm",
			"net/http.DefaultClient", "net/http.Transport", "net/http.DefaultTransport",
			"net/http.ProxyFromEnvironment", "net/http.ProxyURL",
			"net/http/httputil.ReverseProxy", "net/http/httputil.NewSingleHostReverseProxy",
			"net/http/httputil.ClientConn", "net/http/httputil.NewClientConn", "net/http/httputil.NewProxyClientConn",
			"net/rpc.Dial*", "net/smtp.*", "net/textproto.Dial", "log/syslog.*",
			"syscall.Connect", "syscall.Socket", "syscall.Sendto", "syscall.SendmsgN", "syscall.Sendmsg",
			"golang.org/x/sys/unix.Connect", "golang.org/x/sys/unix.Send*",
			"golang.org/x/net/proxy.*", "golang.org/x/net/websocket.Dial*",
		},
	},
	{
		why:    "a raw system call can dial; worker takes rights from itself with some, and its probe wants to be refused a socket",
		keeper: []string{"internal/egress", "internal/worker"},
		names: []string{
			"syscall.RawSyscall*", "syscall.Syscall*", "syscall.AllThreadsSyscall*",
			"golang.org/x/sys/unix.Socket", "golang.org/x/sys/unix.RawSyscall*", "golang.org/x/sys/unix.Syscall*",
		},
	},
	{
		why:    "a client without a transport dials by itself: the MCP SDK and the WebSocket of a browser want one, made around egress' transport",
		keeper: []string{"internal/egress", "internal/search", "internal/browser"},
		names:  []string{"net/http.Client"},
	},
	{
		why:    "no child processes but the browser, an MCP server on stdio, this program in the background, the pager that the user names, and the workers, which have no network: what another program sends, no policy judges",
		keeper: []string{"internal/browser", "internal/search", "internal/worker", "internal/background", "internal/terminal"},
		names: []string{
			"os/exec.*", "os.StartProcess", "syscall.ForkExec", "syscall.Exec", "syscall.StartProcess",
		},
	},
	{
		why:    "weburl.Parse is the only parser of addresses: two parsers are two opinions on what is dialled",
		keeper: []string{"internal/weburl"},
		names: []string{
			"net/url.Parse", "net/url.ParseRequestURI", "net/url.URL.Parse", "net/url.URL.ResolveReference",
			"net/url.URL.JoinPath", "net/url.JoinPath", "net/url.URL.UnmarshalBinary",
		},
	},
}

// TestBoundaries type-checks every package outside tests and holds each use of a
// guarded name to the table above.
func TestBoundaries(t *testing.T) {
	goList := listPackages(t)
	for _, p := range goList.own {
		pkg, _ := relative(p.ImportPath)
		if p.Error != nil {
			t.Errorf("%s does not build, so that nothing can be said of it: %s", pkg, p.Error.Err)
			continue
		}
		var files []string
		for _, f := range p.GoFiles {
			files = append(files, filepath.Join(p.Dir, f))
		}
		fset := token.NewFileSet()
		var parsed []*ast.File
		for _, f := range files {
			file, err := parser.ParseFile(fset, f, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		problems, err := crossings(pkg, fset, parsed, goList.importer(fset, p.ImportMap))
		if err != nil {
			t.Errorf("%s does not type-check, so that nothing can be said of it: %v", pkg, err)
		}
		for _, s := range problems {
			t.Error(s)
		}
		// Files for other platforms are not type-checked here: they may not
		// import what could open a boundary.
		for _, f := range p.IgnoredGoFiles {
			if strings.HasSuffix(f, "_test.go") || pkg == "internal/egress" {
				continue
			}
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, f), nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				switch imp := strings.Trim(spec.Path.Value, "`\""); imp {
				case "net", "net/http", "crypto/tls", "os/exec":
					t.Errorf("%s: imports %s in a file for another platform, where this test cannot look: move that part to a file for all platforms",
						fset.Position(spec.Pos()), imp)
				}
			}
		}
	}
}

// TestBoundariesCatch shows that each way around a boundary is seen, and that what
// is harmless passes.
func TestBoundariesCatch(t *testing.T) {
	goList := listPackages(t)
	for _, c := range []struct {
		name, src string
		want      string // a guarded name that must be reported; empty: nothing is
	}{
		{"call", `import "net"; func f() { net.Dial("tcp", "x:1") }`, "net.Dial"},
		{"import alias", `import n "net"; func f() { n.DialTimeout("tcp", "x:1", 0) }`, "net.DialTimeout"},
		{"dot import", `import . "net"; func f() { Dial("tcp", "x:1") }`, "net.Dial"},
		{"function value", `import "net"; var dial = net.Dial`, "net.Dial"},
		{"literal", `import "net"; var d = net.Dialer{}`, "net.Dialer"},
		{"literal through an alias type", `import "net/http"; type C = http.Client; func f() any { return &C{} }`, "net/http.Client"},
		{"defined type", `import "net/http"; type C http.Client`, "net/http.Client"},
		{"embedded", `import "net/http"; type C struct{ *http.Transport }`, "net/http.Transport"},
		{"type parameter", `import "net/http"; func f[T any]() *T { return new(T) }; func g() any { return f[http.Transport]() }`, "net/http.Transport"},
		{"method value", `import "net/http"; func f() any { return http.DefaultClient.Do }`, "net/http.DefaultClient"},
		{"default transport", `import "net/http"; var rt http.RoundTripper = http.DefaultTransport`, "net/http.DefaultTransport"},
		{"short forms of http", `import "net/http"; func f() { http.Get("http://x") }`, "net/http.Get"},
		{"a value that somebody else made", `import "net/http/httptest"; func f(s *httptest.Server) { c := s.Client(); c.Get("http://x") }`, "net/http.Client"},
		{"type assertion", `import "net/http"; func f(rt http.RoundTripper) { rt.(*http.Transport).Clone() }`, "net/http.Transport"},
		{"tls", `import "crypto/tls"; func f() { tls.Dial("tcp", "x:1", nil) }`, "crypto/tls.Dial"},
		{"tls dialer", `import "crypto/tls"; var d tls.Dialer`, "crypto/tls.Dialer"},
		{"resolver", `import ("context"; "net"); func f() { net.DefaultResolver.LookupHost(context.Background(), "x") }`, "net.DefaultResolver"},
		{"lookup", `import "net"; func f() { net.LookupIP("x") }`, "net.LookupIP"},
		{"lookup by another name", `import "net"; func f() { net.ResolveTCPAddr("tcp", "x:1") }`, "net.ResolveTCPAddr"},
		{"packet socket", `import "net"; func f() { net.ListenPacket("udp", ":0") }`, "net.ListenPacket"},
		{"packet socket of a ListenConfig", `import ("context"; "net"); func f() { var lc net.ListenConfig; lc.ListenPacket(context.Background(), "udp", ":0") }`, "net.ListenConfig.ListenPacket"},
		{"environment proxy", `import "net/http"; var p = http.ProxyFromEnvironment`, "net/http.ProxyFromEnvironment"},
		{"reverse proxy", `import "net/http/httputil"; var p httputil.ReverseProxy`, "net/http/httputil.ReverseProxy"},
		{"system call", `import "syscall"; func f() { syscall.Connect(0, nil) }`, "syscall.Connect"},
		{"raw system call", `import "syscall"; func f() { syscall.RawSyscall(42, 0, 0, 0) }`, "syscall.RawSyscall"},
		{"curl", `import "os/exec"; func f() { exec.Command("curl", "http://x").Run() }`, "os/exec.Command"},
		{"process", `import "os"; func f() { os.StartProcess("/usr/bin/wget", nil, nil) }`, "os.StartProcess"},
		{"linkname", "import _ \"unsafe\"\n//go:linkname dial net.Dial\nfunc dial()", "go:linkname"},
		{"a second parser", `import "net/url"; func f() { url.Parse("http://x") }`, "net/url.Parse"},
		{"a second resolver of references", `import "net/url"; func f(u *url.URL) { u.Parse("/x") }`, "net/url.URL.Parse"},

		{"a given round tripper", `import "net/http"; func f(rt http.RoundTripper, r *http.Request) { rt.RoundTrip(r) }`, ""},
		{"a server", `import "net/http"; func f() { (&http.Server{}).ListenAndServe() }`, ""},
		{"a listener", `import "net"; func f() { net.Listen("tcp", "127.0.0.1:0") }`, ""},
		{"host and port", `import "net"; func f() { net.SplitHostPort("x:1"); net.JoinHostPort("x", "1") }`, ""},
		{"a header", `import "net/http"; var h http.Header`, ""},
		{"query escaping", `import "net/url"; func f() { url.QueryEscape("x"); url.PathUnescape("x") }`, ""},
		{"a type of the same name", `type Client struct{}; func Dial() {}; func f() { Dial(); _ = Client{} }`, ""},
		{"a field of the same name", `type T struct{ Dial func() }; func f(t T) { t.Dial() }`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "snippet.go", "package snippet\n"+c.src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			got, err := crossings("internal/reader", fset, []*ast.File{file}, goList.importer(fset, nil))
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if len(got) > 0 {
					t.Errorf("reported: %q", got)
				}
				return
			}
			if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, " "+c.want+":") }) {
				t.Errorf("not seen: want %s among %q", c.want, got)
			}
		})
	}
	t.Run("the keeper may", func(t *testing.T) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "snippet.go", `package egress; import "net"; var d net.Dialer`, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := crossings("internal/egress", fset, []*ast.File{file}, goList.importer(fset, nil))
		if err != nil || len(got) > 0 {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// crossings returns each use of a guarded name in the files of one package.
func crossings(pkg string, fset *token.FileSet, files []*ast.File, imp types.Importer) ([]string, error) {
	info := &types.Info{
		Uses:  make(map[*ast.Ident]types.Object),
		Types: make(map[ast.Expr]types.TypeAndValue),
	}
	conf := types.Config{Importer: imp}
	if _, err := conf.Check(modulePath+"/"+pkg, fset, files, info); err != nil {
		return nil, err
	}
	var out []string
	report := func(pos token.Pos, name string) {
		for _, boundary := range boundaries {
			if slices.Contains(boundary.keeper, pkg) {
				continue
			}
			if slices.ContainsFunc(boundary.names, func(pattern string) bool { return guarded(pattern, name) }) {
				line := fmt.Sprintf("%s: %s uses %s: %s", fset.Position(pos), pkg, name, boundary.why)
				if !slices.Contains(out, line) {
					out = append(out, line)
				}
			}
		}
	}
	for id, obj := range info.Uses {
		if name := nameOf(obj); name != "" {
			report(id.Pos(), name)
		}
	}
	for expr, tv := range info.Types {
		if named := namedOf(tv.Type); named != nil {
			report(expr.Pos(), nameOf(named.Obj()))
		}
	}
	for _, file := range files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:linkname") {
					out = append(out, fmt.Sprintf("%s: %s uses go:linkname: it takes a function past every check", fset.Position(c.Pos()), pkg))
				}
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// guarded reports whether a pattern of the table covers a name: exactly, as a
// prefix, or as the type that a method belongs to.
func guarded(pattern, name string) bool {
	if i := strings.IndexByte(pattern, '*'); i >= 0 {
		return strings.HasPrefix(name, pattern[:i]) && strings.HasSuffix(name, pattern[i+1:])
	}
	return name == pattern || strings.HasPrefix(name, pattern+".")
}

// nameOf returns "path.Name" or "path.Type.Method"; "" for what is neither.
func nameOf(obj types.Object) string {
	if obj == nil || obj.Pkg() == nil {
		return ""
	}
	path := obj.Pkg().Path()
	if f, ok := obj.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			if named := namedOf(recv.Type()); named != nil {
				return path + "." + named.Obj().Name() + "." + obj.Name()
			}
			return ""
		}
	}
	if obj.Parent() != obj.Pkg().Scope() {
		return "" // a field or a local
	}
	return path + "." + obj.Name()
}

// namedOf returns the named type behind aliases and one pointer.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// listed is what the go command says of a package.
type listed struct {
	Dir, ImportPath, Export string
	GoFiles, IgnoredGoFiles []string
	ImportMap               map[string]string
	Standard                bool
	Error                   *struct{ Err string }
}

type packageList struct {
	own    []listed
	export map[string]string // export data by import path
}

// listPackages asks the go command for this module's packages and for the
// export data of all that they import, and of what the snippets import. It
// asks once.
func listPackages(t *testing.T) packageList {
	t.Helper()
	list, err := listOnce()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var listOnce = sync.OnceValues(func() (packageList, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-export",
		"-json=Dir,ImportPath,Export,GoFiles,IgnoredGoFiles,ImportMap,Standard,Error",
		"./...", "net/http/httptest", "net/http/httputil", "net/url", "os/exec", "crypto/tls", "syscall", "context")
	cmd.Stderr = os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return packageList{}, fmt.Errorf("go list: %w (does the module build?)", err)
	}
	list := packageList{export: make(map[string]string)}
	for d := json.NewDecoder(bytes.NewReader(raw)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return packageList{}, err
		}
		list.export[p.ImportPath] = p.Export
		if _, ours := relative(p.ImportPath); ours {
			list.own = append(list.own, p)
		}
	}
	if len(list.own) == 0 {
		return packageList{}, errors.New("go list names no package of this module")
	}
	return list, nil
})

// importer reads the types of imported packages from export data.
func (l packageList) importer(fset *token.FileSet, vendored map[string]string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if p, ok := vendored[path]; ok {
			path = p
		}
		file := l.export[path]
		if file == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(file)
	})
}
