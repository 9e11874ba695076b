package e2e_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs the demo, and every session of a console block, whose output has to be
// what the document says.
func TestReadme(t *testing.T) {
	if out, err := exec.Command(must(t, product), "demo").CombinedOutput(); err != nil {
		t.Errorf("demo: %v\n%s", err, out)
	}
	readme := readFile(t, "../../README.md")
	if n := strings.Count(readme, "\n"); n > 150 {
		t.Errorf("the README has %d lines, at most 150", n)
	}
}

// TestReadmeRecipes runs the recipes for readers who come from an earlier design.
func TestReadmeRecipes(t *testing.T) {
	designs := readFile(t, "../../docs/reference-designs.md")
	_, recipes, ok := strings.Cut(designs, "\n## Recipes")
	recipes, _, _ = strings.Cut(recipes, "\n## ")
	if n := strings.Count(recipes, "\n**"); !ok || n != 5 {
		t.Fatalf("%d recipes, want one for each of the five designs", n)
	}
	w := readmeWorld(t)
	for _, plan := range blocksOf(recipes, "json") {
		if err := os.WriteFile(filepath.Join(w.home, "research.json"), []byte(plan), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commands := 0
	for _, block := range blocksOf(recipes, "sh") {
		for line := range strings.Lines(block) {
			commands++
			command, _, _ := strings.Cut(strings.TrimSpace(line), "    #")
			before, flags, server := strings.Cut(command, "spyhop mcp")
			switch {
			case server:
				there := w.with(t, strings.Fields(before)...)
				if tools := there.lists(t, strings.Fields(flags)...); len(tools) == 0 {
					t.Errorf("%s: the server lists no tools", command)
				}
			default:
				if strings.HasPrefix(command, "curl ") {
					needsBrowser(t)
					command = strings.ReplaceAll(command, "https://example.com/fog", plainFog)
				}
				out, err := w.shell(t, command)
				if err != nil || strings.TrimSpace(out) == "" || strings.Contains(out, `"error":true`) || strings.HasPrefix(out, "Error: ") {
					t.Errorf("%s: %v\n%s%s", command, err, out, exitText(err))
				}
			}
		}
	}
	if commands < 10 {
		t.Errorf("%d commands were run", commands)
	}
}

// TestReadmeGo compiles the Go blocks of the README and of docs/ in a module of their own.
func TestReadmeGo(t *testing.T) {
	t.Parallel()
	var program strings.Builder
	program.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"errors\"\n\t\"fmt\"\n\n\t\"github.com/spyhop-dev/spyhop\"\n)\n\nfunc main() { _ = errors.New }\n")
	var blocks []string
	for _, d := range documents(t) {
		blocks = append(blocks, blocksOf(d.text, "go")...)
	}
	if len(blocks) < 10 {
		t.Errorf("%d Go blocks, want those of the README, of go.md and one for each recipe", len(blocks))
	}
	for i, block := range blocks {
		client := ", client *spyhop.Client"
		if strings.Contains(block, "spyhop.New(") {
			client = ""
		}
		fmt.Fprintf(&program, "\nfunc block%d(ctx context.Context%s) error {\n%s\nreturn nil\n}\n", i, client, block)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// Our requirements are listed, as "go mod tidy" lists them: otherwise go looks up go.mod
	// files of modules that nothing is built from.
	_, requirements, _ := strings.Cut(readFile(t, "../../go.mod"), "\n")
	for name, content := range map[string]string{
		"go.mod":  "module example.com/reader\n" + requirements + "\nrequire github.com/spyhop-dev/spyhop v0.0.0\n\nreplace github.com/spyhop-dev/spyhop => " + root + "\n",
		"go.sum":  readFile(t, "../../go.sum"),
		"main.go": program.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "build", "-o", os.DevNull, ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, program.String())
	}
}

type document struct{ name, text string }

// documents are the README and the pages of docs/ for users.
func documents(t *testing.T) (out []document) {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, "../../README.md") {
		out = append(out, document{filepath.Base(f), readFile(t, f)})
	}
	return out
}

// blocksOf returns the fenced blocks of a language.
func blocksOf(text, language string) (out []string) {
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// plainFog is the page without TLS: the browser does not trust the authority of
// the double.
const plainFog = "http://docs.example.org/fog"

// readmeWorld has the pages that the README names, and the program as "spyhop".
func readmeWorld(t *testing.T) *world {
	page := serves("text/html", readFile(t, "testdata/readme/page.html"))
	w := newWorld(t, map[string]http.HandlerFunc{
		"example.com": page,
		"html.duckduckgo.com": serves("text/html", `<!DOCTYPE html><div id="links" class="results"><div class="result results_links web-result">
			<h2 class="result__title"><a class="result__a" href="`+plainFog+`">Ferries in fog</a></h2><a class="result__snippet">The ferry left.</a></div></div>`),
		"docs.example.org": page,
	}, "WEB_HTTP=allow")
	w.onPath(t)
	return w
}

// onPath puts the program on the PATH of shells, as "spyhop".
func (w *world) onPath(t *testing.T) {
	bin := filepath.Join(w.home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.program, filepath.Join(bin, "spyhop")); err != nil {
		t.Fatal(err)
	}
	w.settings = append(w.settings, "PATH="+bin+":"+os.Getenv("PATH"))
}

// shell runs a command line of a document.
func (w *world) shell(t *testing.T, command string) (string, error) {
	t.Helper()
	if strings.Contains(command, "127.0.0.1:7749") {
		url, err := w.url()
		if err != nil {
			t.Fatal(err)
		}
		command = strings.ReplaceAll(command, "127.0.0.1:7749", strings.TrimPrefix(url, "http://"))
	}
	for _, program := range []string{"curl", "python3"} {
		if strings.HasPrefix(command, program+" ") {
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("there is no %s: scripts/setup installs it", program)
			}
		}
	}
	c := exec.Command("sh", "-c", command)
	c.Dir = w.home
	c.Env = append([]string{"WEB_DATA_DIR=" + w.data("shell")}, w.settings...)
	out, err := c.Output()
	return string(out), err
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// exitText is what a failed command said on stderr.
func exitText(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
