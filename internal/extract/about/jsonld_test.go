package about

import (
	"strings"
	"testing"
)

// graphOf is the graph of some scripts of JSON-LD.
func graphOf(scripts ...string) *Graph {
	g, b := new(Graph), budget{maxScriptBytes, maxScriptNodes}
	for _, s := range scripts {
		g.jsonLD(s, &b)
	}
	return g
}

// Each script is parsed to its subject: the headline, and the people of its author.
func TestJSONLD(t *testing.T) {
	for _, c := range []struct {
		name, script string
		headline     string
		people       string
	}{
		{"plain", `{"@type":"Article","headline":"H","author":{"@type":"Person","name":"Ann Bee"}}`, "H", "Ann Bee"},
		{"lists", `[{"@type":"Article","headline":["H"],"author":[{"name":"Ann Bee"},"Carl Dee"]}]`, "H", "Ann Bee, Carl Dee"},
		{"names in a list", `{"@type":"Article","headline":"H","author":{"name":["Ann Bee","Carl Dee"]}}`, "H", "Ann Bee, Carl Dee"},
		{"given and family name", `{"@type":"Article","author":{"givenName":"Ann","familyName":"Bee"}}`, "", "Ann Bee"},
		{"an organisation is apart", `{"@type":"Article","author":{"@type":"Organization","name":"The Clinic"}}`, "", ""},
		{"graph", `{"@graph":[{"@type":"WebSite"},{"@type":"BlogPosting","headline":"H","author":"Ann Bee"}]}`, "H", "Ann Bee"},
		{"main entity", `{"@type":"QAPage","mainEntity":{"@type":"Question","name":"H","author":"Ann Bee"}}`, "H", "Ann Bee"},
		{"prefixed names", `{"@type":"schema:Article","schema:headline":"H","http://schema.org/author":"Ann Bee"}`, "H", "Ann Bee"},
		{"a value with a language", `{"@type":"Article","headline":{"@value":"H","@language":"en"}}`, "H", ""},
		{"unknown members", `{"a":{"headline":"no","b":[{"c":"}]"}]},"@type":"Article","x":[1,-2.5e3,true,null],"headline":"H"}`, "H", ""},
		{"escapes", `{"@type":"Article","headline":"A\u00e9\ud83d\ude00\"\\\/\n\ud83d\u12"}`, "Aé😀\"\\/ \ufffd12", ""},

		{"trailing commas", `{"@type":"Article","headline":"H",,"author":["Ann Bee",],}`, "H", "Ann Bee"},
		{"missing commas", `{"@type":"Article" "headline":"H" "author":"Ann Bee"}`, "H", "Ann Bee"},
		{"CDATA", "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"H\"}\n//]]>", "H", ""},
		{"CDATA in a comment", `/*<![CDATA[*/{"@type":"Article","headline":"H"}/*]]>*/`, "H", ""},
		{"HTML comment", `<!-- {"@type":"Article","headline":"H"} -->`, "H", ""},
		{"byte order mark", "\ufeff{\"@type\":\"Article\",\"headline\":\"H\"}", "H", ""},
		{"line break in a string", "{\"@type\":\"Article\",\"headline\":\"H\n2\"}", "H 2", ""},
		{"several values in one script", `{"@type":"WebSite","name":"S"}{"@type":"Article","headline":"H"}`, "H", ""},
		{"cut in the middle", `{"@type":"Article","headline":"H","author":{"name":"Ann`, "H", ""},
		{"a quotation mark that nobody escaped", `{"@type":"Article","headline":"H","description":"so "called"","author":"Ann Bee"}`, "H", ""},

		{"nothing", ``, "", ""},
		{"no JSON", `window.x = {}`, "", ""},
		{"a string alone", `"Article"`, "", ""},
		{"deep", strings.Repeat(`[`, 100_000), "", ""},
		{"deep in a member", strings.Repeat(`{"author":`, 100_000), "", ""},
		{"closing brackets alone", `{"author":]]}}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graphOf(c.script)
			subject, _ := g.subject(func(string) bool { return true })
			people, _ := g.people(subject, "author")
			if got := g.title(subject); got != c.headline {
				t.Errorf("headline %q, want %q", got, c.headline)
			}
			if got := strings.Join(people, ", "); got != c.people {
				t.Errorf("people %q, want %q", got, c.people)
			}
		})
	}
}

// The scripts of a page share one budget.
func TestScriptBudget(t *testing.T) {
	one := `{"@type":"Article","headline":"` + strings.Repeat("x", maxValueBytes/2) + `"}`
	scripts := make([]string, 2*maxScriptBytes/len(one))
	for i := range scripts {
		scripts[i] = one
	}
	if g := graphOf(scripts...); !g.Cut || g.bytes > maxAllText+len(one)*len(scripts) {
		t.Errorf("%d bytes, cut: %v", g.bytes, g.Cut)
	}
}

// FuzzGraph parses one script as JSON-LD and as literals of a program.
func FuzzGraph(f *testing.F) {
	f.Add(`{"@type":"Article","headline":"H","author":[{"name":"Ann Bee"}]}`)
	f.Add(`<!--[{,,"@graph":[{"@id":"a","name":"b"}]]]>`)     // wrappers and brackets that do not match
	f.Add(`{"@type":"\u12","name":"\`)                        // escapes that end early
	f.Add(`kit.start(app,{data:[{a:new Date("1"),b:!0}]})`)   // arguments of a call
	f.Add(`x=(function(a,b){return {c:a}}("1",2))`)           // parameters
	f.Add(`self.__next_f.push([1,"1:T2,ab2:[\"$\",\"p\"]"])`) // a stream
	f.Fuzz(func(t *testing.T, script string) {
		g := graphOf(script)
		if s, _ := g.subject(func(string) bool { return false }); s != nil {
			g.people(s, "author")
		}
		w := writer{Graph: g}
		w.write()
		s := sources{budget: budget{maxScriptBytes, maxScriptNodes}}
		s.literals(script)
		s.rows(s.stream.String())
		if g.items > maxItems || g.values > maxValues || s.budget.bytes > maxScriptBytes {
			t.Errorf("%d items, %d values: the bounds do not hold", g.items, g.values)
		}
	})
}
