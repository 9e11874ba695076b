package metadata

import (
	"strings"
	"testing"
)

// One reading of each script: headline, the people and organisations of
// author, datePublished.
func TestParseLD(t *testing.T) {
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
		{"unknown members are skipped", `{"a":{"headline":"no","b":[{"c":"}]"}]},"@type":"Article","x":[1,-2.5e3,true,null],"headline":"H"}`, "H", ""},
		{"escapes", `{"@type":"Article","headline":"A\u00e9\ud83d\ude00\"\\\/\n\ud83d\u12"}`, "Aé😀\"\\/ \ufffd12", ""},

		{"trailing commas", `{"@type":"Article","headline":"H",,"author":["Ann Bee",],}`, "H", "Ann Bee"},
		{"missing commas", `{"@type":"Article" "headline":"H" "author":"Ann Bee"}`, "H", "Ann Bee"},
		{"CDATA", "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"H\"}\n//]]>", "H", ""},
		{"CDATA in a comment", `/*<![CDATA[*/{"@type":"Article","headline":"H"}/*]]>*/`, "H", ""},
		{"HTML comment", `<!-- {"@type":"Article","headline":"H"} -->`, "H", ""},
		{"byte order mark", "\ufeff{\"@type\":\"Article\",\"headline\":\"H\"}", "H", ""},
		{"line break in a string", "{\"@type\":\"Article\",\"headline\":\"H\n2\"}", "H\n2", ""},
		{"several values in one script", `{"@type":"WebSite"}{"@type":"Article","headline":"H"}`, "H", ""},
		{"cut in the middle", `{"@type":"Article","headline":"H","author":{"name":"Ann`, "H", ""},
		{"a quotation mark that nobody escaped", `{"@type":"Article","headline":"H","description":"so "called"","author":"Ann Bee"}`, "H", ""},

		{"nothing", ``, "", ""},
		{"no JSON", `window.x = {}`, "", ""},
		{"a string alone", `"Article"`, "", ""},
		{"deep", strings.Repeat(`[`, 100_000), "", ""},
		{"deep in a known member", strings.Repeat(`{"author":`, 100_000), "", ""},
		{"deep in an unknown member", `{"@type":"Article","x":` + strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000) + `,"headline":"H"}`, "H", ""},
		{"closing brackets alone", `{"author":]]}}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f schemaFacts
			f.read(c.script)
			subject, _ := f.subject(func(string) bool { return true })
			if subject == nil {
				subject = new(ldObject)
			}
			people, _ := f.people(subject[ldAuthor])
			if got := subject.title(); got != c.headline {
				t.Errorf("headline %q, want %q", got, c.headline)
			}
			if got := strings.Join(people, ", "); got != c.people {
				t.Errorf("people %q, want %q", got, c.people)
			}
		})
	}
}

func TestSchemaBounds(t *testing.T) {
	var f schemaFacts
	one := `{"@type":"Article","headline":"` + strings.Repeat("x", maxLDScript/2) + `"}`
	for range 10 {
		f.read(one)
	}
	if n := len(f.objects); n != maxLDTotal/len(one) {
		t.Errorf("%d scripts read, want %d: the total is bounded", n, maxLDTotal/len(one))
	}
	f = schemaFacts{}
	f.read("[" + strings.Repeat(`{"@type":"Article"},`, 10_000) + "]")
	if len(f.objects) > maxSchemaObjects {
		t.Errorf("%d objects, at most %d", len(f.objects), maxSchemaObjects)
	}
}

func FuzzParseLD(f *testing.F) {
	f.Add(`{"@type":"Article","headline":"H","author":[{"name":"Ann Bee"}]}`)
	f.Add(`<!--[{,,"@graph":[{"@id":"a","name":"b"}]]]>`) // wrappers and brackets that do not match
	f.Add(`{"@type":"\u12","name":"\`)                    // escapes that end early
	f.Fuzz(func(t *testing.T, script string) {
		var facts schemaFacts
		facts.read(script)
		if s, _ := facts.subject(func(string) bool { return false }); s != nil {
			facts.people(s[ldAuthor])
		}
		if len(facts.objects) > maxSchemaObjects || len(facts.types) > 64 {
			t.Errorf("%d objects, %d types: the bounds do not hold", len(facts.objects), len(facts.types))
		}
	})
}
