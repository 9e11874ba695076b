package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ordered are packages that are not read in the order of their file names. The doc comment
// of each lists its files under "# Files", callers before what they call.
var ordered = []string{"internal/css", "internal/browser"}

// upward is how many uses may run against the order that a package lists.
const upward = 10

// TestOrder: a package of ordered can be read from the first file of its list to the last.
// The order of SPYHOP_ORDER=1 has few uses that run against it.
func TestOrder(t *testing.T) {
	for _, dir := range ordered {
		t.Run(dir, func(t *testing.T) {
			files, doc := parsePackage(t, dir)
			listed := listedFiles(doc)
			if os.Getenv("SPYHOP_ORDER") != "" {
				listed = bestOrder(fileUses(files), listed)
				t.Log(strings.Join(listed, " "))
			}
			for name := range files {
				if !slices.Contains(listed, name) && files[name].Doc == nil {
					t.Errorf("%s is not in the list of files of the package's doc", name)
				}
			}
			var against []string
			n := 0
			for from, uses := range fileUses(files) {
				for to, k := range uses {
					if i, j := slices.Index(listed, from), slices.Index(listed, to); i > j && j >= 0 {
						n += k
						against = append(against, fmt.Sprintf("%s uses %s %d times", from, to, k))
					}
				}
			}
			if n > upward {
				slices.Sort(against)
				t.Errorf("%d uses run against the order of the files, at most %d may:\n%s", n, upward, strings.Join(against, "\n"))
			}
		})
	}
}

// parsePackage returns the files of a package for this system, by name, and the text of its
// doc comment.
func parsePackage(t *testing.T, dir string) (files map[string]*ast.File, doc string) {
	t.Helper()
	names, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal("no files in", dir, err)
	}
	files = map[string]*ast.File{}
	for _, path := range names {
		name := filepath.Base(path)
		if strings.HasSuffix(name, "_test.go") || systemFile.MatchString(name) {
			continue
		}
		f, err := parser.ParseFile(fileSet, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
		if f.Doc != nil {
			doc = f.Doc.Text()
		}
	}
	return files, doc
}

var (
	fileSet = token.NewFileSet()
	// A file of another system declares what that of Linux declares.
	systemFile = regexp.MustCompile(`_(other|bsd|darwin|windows)\.go$`)
	fileName   = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)
)

// listedFiles returns the names of files below "# Files" in a doc comment.
func listedFiles(doc string) []string {
	_, list, _ := strings.Cut(doc, "# Files\n")
	if before, _, ok := strings.Cut(list, "\n# "); ok {
		list = before
	}
	return fileName.FindAllString(list, -1)
}

// fileUses counts the uses of functions, methods, types, variables and constants of the
// package in other files than their own: uses[from][to]. Other packages are not loaded: what
// depends on their types is not counted.
func fileUses(files map[string]*ast.File) map[string]map[string]int {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	all := make([]*ast.File, 0, len(files))
	for _, f := range files {
		all = append(all, f)
	}
	config := types.Config{Importer: none{}, Error: func(error) {}}
	pkg, _ := config.Check("p", fileSet, all, info)
	uses := map[string]map[string]int{}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || object.Parent() != pkg.Scope() && !isMethod(object) {
			continue
		}
		from, to := filepath.Base(fileSet.Position(id.Pos()).Filename), filepath.Base(fileSet.Position(object.Pos()).Filename)
		if from == to {
			continue
		}
		if uses[from] == nil {
			uses[from] = map[string]int{}
		}
		uses[from][to]++
	}
	return uses
}

func isMethod(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && f.Signature().Recv() != nil
}

// none gives an empty package for each import.
type none struct{}

func (none) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

// bestOrder moves one file at a time to the place with the fewest uses against the order,
// until no move helps.
func bestOrder(uses map[string]map[string]int, order []string) []string {
	seen := map[string]bool{}
	for from, to := range uses {
		seen[from] = true
		for name := range to {
			seen[name] = true
		}
	}
	order = slices.DeleteFunc(slices.Clone(order), func(name string) bool { return !seen[name] })
	var rest []string
	for name := range seen {
		if !slices.Contains(order, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	order = append(order, rest...)
	for moved := true; moved; {
		moved = false
		for _, name := range slices.Clone(order) {
			at := slices.Index(order, name)
			others := slices.Delete(slices.Clone(order), at, at+1)
			// before is the cost of name in front of all others; each step past one changes it.
			cost, bestAt := 0, 0
			costs := make([]int, len(others)+1)
			for _, o := range others {
				cost += uses[o][name]
			}
			for i := 0; ; i++ {
				costs[i] = cost
				if cost < costs[bestAt] {
					bestAt = i
				}
				if i == len(others) {
					break
				}
				cost += uses[name][others[i]] - uses[others[i]][name]
			}
			if costs[bestAt] < costs[at] {
				order, moved = slices.Insert(others, bestAt, name), true
			}
		}
	}
	return order
}
