package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// planCatalog has a tool for each way to answer: with a form, with a form that
// clients are not told, with a text, with anything.
func planCatalog(t testing.TB, called *[]string) *Catalog {
	c := NewCatalog()
	add := func(d Declaration, answer func(Call) Result) {
		d.Description, d.Level = "For tests.", Read
		d.Handler = func(_ context.Context, call Call) (Result, error) {
			data, err := json.Marshal(map[string]any(call.Args))
			if called != nil {
				*called = append(*called, fmt.Sprintf("%s %s given=%v", call.Tool, data, call.Given))
			}
			if call.Args.String("url") == "https://gone.example.com/" {
				return Result{}, NewError(HTTPError, "Failed to fetch it", "try another")
			}
			return answer(call), err
		}
		if err := c.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	add(Declaration{Name: "find", Input: Object(String("query", "").Require(), Integer("most", "").AtLeast(1)),
		Output: Object(Array("results", "", Object(String("title", ""), String("link", ""))).Require(), Integer("count", ""), Boolean("cached", ""))},
		func(c Call) Result {
			results := []map[string]string{{"title": "One", "link": "https://one.example.com/"}, {"title": "Two", "link": "https://two.example.com/"}}
			if c.Args.String("query") == "nothing" {
				results = results[:0]
			}
			return Result{Data: map[string]any{"results": results, "count": len(results), "cached": false}}
		})
	add(Declaration{Name: "read", Input: Object(String("url", "").ListTo("urls"), Array("urls", "", Schema{Type: TypeString}), Integer("most", ""), Map("headers", "")),
		Data: Object(String("markdown", ""), Map("metadata", ""))},
		func(c Call) Result {
			return Result{Text: "text", Data: map[string]any{"markdown": "# " + c.Args.String("url"), "metadata": map[string]any{"tokens": 7}}}
		})
	add(Declaration{Name: "browse", Input: Object(String("url", "").Require()), Output: Text()}, func(c Call) Result { return Result{Text: "page " + c.Args.String("url")} })
	add(Declaration{Name: "free", Input: Schema{Type: TypeObject, Open: true}}, func(Call) Result { return Result{Data: []any{map[string]any{"a": []int{1, 2}}}} })
	return c
}

// steps writes a plan of "tool {args}" lines called s1, s2, …
func steps(lines ...string) string {
	var parts []string
	for i, line := range lines {
		name, args, _ := strings.Cut(line, " ")
		parts = append(parts, fmt.Sprintf(`{"id":"s%d","tool":%q,"args":%s}`, i+1, name, args))
	}
	return `{"steps":[` + strings.Join(parts, ",") + `]}`
}

func TestParsePlan(t *testing.T) {
	for _, c := range []struct{ plan, want string }{
		{steps(`find {"query":"x"}`), ""},
		{`{"steps":[{"id":"a-1_B","tool":"t"}]}`, ""},
		{``, "it is not JSON"},
		{`{"steps":[}`, "it is not JSON"},
		{`[]`, "the plan is not an object: []"},
		{`{}`, "it has no steps"},
		{`{"steps":{}}`, "it has no steps"},
		{`{"steps":[]}`, "it has no steps"},
		{`{"step":[]}`, `did you mean "steps"?`},
		{`{"steps":[{"id":"a","tool":"t"}],"goal":""}`, `a member "goal", which is unknown`},
		{`{"steps":[1]}`, "step 1 is not an object: 1"},
		{`{"steps":[{"id":"a","tool":"t"},{"tool":"t"}]}`, "step 2 has no valid id"},
		{`{"steps":[{"id":"1a","tool":"t"}]}`, "step 1 has no valid id"},
		{`{"steps":[{"id":"a.b","tool":"t"}]}`, "step 1 has no valid id"},
		{`{"steps":[{"id":"a"}]}`, "step 1 has no tool"},
		{`{"steps":[{"id":"a","tool":"t","arguments":{}}]}`, `"arguments", which is unknown`},
		{`{"steps":[{"id":"a","tool":"t","args":[]}]}`, "the args of step 1 are not an object"},
		{`{"steps":[{"id":"a","tool":"t"},{"id":"a","tool":"u"}]}`, `two steps have the id "a"`},
		{`{"steps":[` + strings.Repeat(`{"id":"a","tool":"t"},`, MaxPlanSteps) + `{"id":"b","tool":"t"}]}`, "it has 51 steps; the limit is 50"},
		{strings.Repeat(" ", MaxPlanBytes+1), "longer than"},
	} {
		_, err := ParsePlan([]byte(c.plan))
		var e *Error
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &e) || e.Type != InvalidInput || !strings.Contains(e.Text(), c.want)) {
			t.Errorf("%.60s: %v, want %q", c.plan, err, c.want)
		}
	}
}

// A problem is the step, what is wrong, and the nearest right thing.
func TestCheckPlan(t *testing.T) {
	catalog := planCatalog(t, nil)
	for _, c := range []struct {
		name string
		plan string
		want []string
	}{
		{"in order", steps(`find {"query":"x"}`, `read {"url":"${s1.results[0].link}"}`, `browse {"url":"${s1.results[1].link}?page=${s1.count}"}`, `free {"a":["${s2.markdown}",{"b":"${s3}"}]}`), nil},
		{"unknown tool", steps(`fnd {"query":"${s9}"}`), []string{`step s1: tool "fnd" is unknown; did you mean "find"?`, `step s1: argument "query": ${s9} refers to step "s9", which is unknown`}},
		{"unknown argument", steps(`find {"query":"x","mots":2}`), []string{`step s1: argument "mots" is unknown; did you mean "most"?`}},
		{"missing argument", steps(`find {}`), []string{`step s1: argument "query" is missing; query takes a string`}},
		{"every problem of a step", steps(`find {"most":"many","x":1}`), []string{`"many" is not a number`, `argument "x" is unknown`, `"query" is missing`}},
		{"later step", steps(`read {"url":"${s2.results[0].link}"}`, `find {"query":"x"}`), []string{`step s1: argument "url": ${s2.results[0].link} refers to step s2, which comes later; the first step`}},
		{"own step", steps(`browse {"url":"${s1}"}`), []string{"refers to its own step"}},
		{"unknown step", steps(`find {"query":"x"}`, `browse {"url":"${s11.results}"}`), []string{`refers to step "s11", which is unknown; did you mean "s1"?`}},
		{"unknown field", steps(`find {"query":"x"}`, `read {"url":"${s1.results[0].lnik}"}`), []string{`step s2: argument "url": ${s1.results[0].lnik}: s1.results[0] has no field "lnik"; did you mean "link"?`}},
		{"unknown field of a form that clients are not told", steps(`read {"url":"x"}`, `browse {"url":"${s1.content}"}`), []string{`s1 has no field "content"; its fields are markdown, metadata`}},
		{"field of an open object", steps(`read {"url":"x"}`, `browse {"url":"${s1.metadata.whatever[3]}"}`), nil},
		{"field of anything", steps(`free {}`, `browse {"url":"${s1[0].a}"}`), nil},
		{"field of a text", steps(`browse {"url":"x"}`, `browse {"url":"${s1.links}"}`), []string{`s1 is a string and has no fields; leave out .links`}},
		{"field of a list", steps(`find {"query":"x"}`, `read {"url":"${s1.results.link}"}`), []string{`s1.results is a list and has no field "link"; name an element, for example s1.results[0]`}},
		{"element of an object", steps(`find {"query":"x"}`, `read {"url":"${s1[0]}"}`), []string{"s1 is an object and has no elements"}},
		{"an object for a text", steps(`find {"query":"x"}`, `browse {"url":"${s1.results[0]}"}`), []string{`argument "url": ${s1.results[0]} is an object; url takes a string`}},
		{"true for a number", steps(`find {"query":"x"}`, `find {"query":"y","most":"${s1.cached}"}`), []string{"is true or false; most takes a whole number, 1 or more"}},
		{"a number for a text", steps(`find {"query":"x"}`, `find {"query":"${s1.count}"}`), nil},
		{"a list for what takes lists elsewhere", steps(`find {"query":"x"}`, `read {"url":"${s1.results}"}`), []string{`${s1.results} is a list; url takes a string`}},
		{"an object within a text", steps(`find {"query":"x"}`, `browse {"url":"a ${s1.results}"}`), []string{"is a list, which cannot be part of a longer string; name a field of it"}},
		{"malformed", steps(`browse {"url":"${"}`, `browse {"url":"${}"}`, `browse {"url":"${s1.}"}`, `browse {"url":"${s1[x]}"}`, `browse {"url":"${s1[-1]}"}`, `browse {"url":"${s1[0}"}`, `browse {"url":"${s1 .a}"}`),
			[]string{"step s1: argument \"url\": ${ has no closing }", "${} does not name a step", "${s1.} has a dot without a name", "has [x], which is not an index", "has [-1], which is not an index", "${s1[0} has no closing ]", `has an error at " .a"`}},
		{"not a reference", steps(`browse {"url":"$${s9} and $s9 and {s9}"}`), nil},
		{"deep", steps(`free {"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`), []string{"nested deeper than 32"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ParsePlan([]byte(c.plan))
			if err != nil {
				t.Fatal(err)
			}
			got := catalog.CheckPlan(p)
			if len(got) != len(c.want) {
				t.Fatalf("%d problems: %+v, want %d", len(got), got, len(c.want))
			}
			for i := range got {
				if !strings.Contains(got[i].Text(), c.want[i]) {
					t.Errorf("%q, want %q", got[i].Text(), c.want[i])
				}
			}
		})
	}
}

func TestRunPlan(t *testing.T) {
	for _, c := range []struct {
		name   string
		plan   string
		called []string
		err    string // type and part of the message
	}{
		{"values keep their type", steps(`find {"query":"x"}`, `free {"n":"${s1.count}","b":"${s1.cached}","o":"${s1.results[1]}","l":["${s1.results}"],"t":"${s1.count} of ${s1.results[0].title}, $${s1}"}`), []string{
			`find {"query":"x"} given=true`,
			`free {"b":false,"l":[[{"link":"https://one.example.com/","title":"One"},{"link":"https://two.example.com/","title":"Two"}]],"n":2,"o":{"link":"https://two.example.com/","title":"Two"},"t":"2 of One, ${s1}"} given=false`}, ""},
		{"texts and forms that clients are not told", steps(`read {"url":"u"}`, `browse {"url":"${s1.metadata.tokens}"}`, `browse {"url":"${s2}"}`), []string{
			`read {"url":"u"} given=true`, `browse {"url":"7"} given=false`, `browse {"url":"page 7"} given=false`}, ""},
		{"an escape in JSON", steps(`browse {"url":"u"}`, `browse {"url":"\u0024{s1}"}`), []string{`browse {"url":"u"} given=true`, `browse {"url":"page u"} given=false`}, ""},
		{"nothing was found", steps(`find {"query":"nothing"}`, `read {"url":"${s1.results[0].link}"}`, `browse {"url":"x"}`), []string{`find {"query":"nothing"} given=true`},
			"NoContent step s2: ${s1.results[0].link} does not exist: s1.results has 0 elements"},
		{"too few elements", steps(`find {"query":"x"}`, `read {"url":"${s1.results[2].link}"}`), []string{`find {"query":"x"} given=true`},
			"NoContent step s2: ${s1.results[2].link} does not exist: s1.results has 2 elements"},
		{"no such field, which nobody could know", steps(`free {}`, `browse {"url":"${s1[0].b}"}`), []string{`free {} given=true`}, "NoContent step s2: ${s1[0].b} does not exist: step s1 did not return s1[0].b"},
		{"a type that nobody could know", steps(`free {}`, `browse {"url":"${s1[0]}"}`), []string{`free {} given=true`}, `InvalidInput step s2: argument "url"`},
		{"an object within a text", steps(`free {}`, `browse {"url":"a${s1[0]}"}`), []string{`free {} given=true`}, "InvalidInput step s2: ${s1[0]} is neither a string nor a number"},
		{"a step fails", steps(`read {"url":"https://gone.example.com/"}`, `browse {"url":"x"}`), []string{`read {"url":"https://gone.example.com/"} given=true`}, "HTTPError step s1: Failed to fetch it"},
		{"a plan with problems does not begin", steps(`browse {"url":"x"}`, `brows {"url":"x"}`, `browse {}`), nil, `InvalidInput the plan cannot be run: step s2: tool "brows" is unknown (and 1 more)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var called []string
			catalog := planCatalog(t, &called)
			p, err := ParsePlan([]byte(c.plan))
			if err != nil {
				t.Fatal(err)
			}
			var seen []string
			results, err := catalog.RunPlan(context.Background(), p, Options{Given: true}, func(r StepResult) { seen = append(seen, r.ID) })
			if !slices.Equal(called, c.called) {
				t.Errorf("called\n%s\nwant\n%s", strings.Join(called, "\n"), strings.Join(c.called, "\n"))
			}
			var e *Error
			switch {
			case c.err == "" && (err != nil || len(results) != len(p.Steps)):
				t.Errorf("%d results, %v", len(results), err)
			case c.err != "" && (!errors.As(err, &e) || !strings.HasPrefix(string(e.Type)+" "+e.Message, c.err)):
				t.Errorf("%v, want %s", err, c.err)
			}
			if len(seen) != len(results) {
				t.Errorf("%q were seen, of %d", seen, len(results))
			}
		})
	}
}

// A short plan must not make arguments without end.
func TestRunPlanIsBounded(t *testing.T) {
	c := planCatalog(t, nil)
	err := c.Register(Declaration{Name: "long", Description: "A long text.", Level: Read,
		Handler: func(context.Context, Call) (Result, error) {
			return Result{Text: strings.Repeat("x", MaxArgumentBytes/2)}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan([]byte(steps(`long {}`, `browse {"url":"`+strings.Repeat("${s1}", 1000)+`"}`)))
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	if _, err := c.RunPlan(context.Background(), p, Options{}, nil); !errors.As(err, &e) || !strings.Contains(e.Message, "longer than") {
		t.Errorf("%v", err)
	}
}

func TestStepResultJSON(t *testing.T) {
	for want, r := range map[string]StepResult{
		`{"id":"a","tool":"t","result":"text"}`:                        {ID: "a", Tool: "t", Result: Result{Text: "text"}},
		`{"id":"a","tool":"t","result":{"x":1},"notices":["n"]}`:       {ID: "a", Tool: "t", Result: Result{Text: "text", Data: map[string]int{"x": 1}, Notices: []string{"n"}}},
		`{"id":"a","tool":"t","error":{"error":true,"error_type":"Tim`: {ID: "a", Tool: "t", Err: NewError(Timeout, "m", "")},
	} {
		if data, err := json.Marshal(r); err != nil || !strings.HasPrefix(string(data), want) {
			t.Errorf("%s %v, want %s", data, err, want)
		}
	}
}

// Whatever a plan is, it is read or refused, and checked without a panic; what
// passes can be run.
func FuzzPlan(f *testing.F) {
	for _, s := range []string{
		steps(`find {"query":"x"}`, `read {"url":"${s1.results[0].link}"}`),
		steps(`free {"a":"$${s1}${s1[0]}"}`, `browse {"url":"${s1[0].a[1]}"}`),
		`{"steps":[{"id":"a","tool":"browse","args":{"url":"${a.b[`, // cut
		`{"steps":[{"id":"a","tool":"free","args":{"":{"":[[["${a}"]]]}}}]}`,
	} {
		f.Add([]byte(s))
	}
	catalog := planCatalog(f, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePlan(data)
		if err != nil {
			return
		}
		problems := catalog.CheckPlan(p)
		results, err := catalog.RunPlan(context.Background(), p, Options{}, nil)
		if (len(problems) > 0) != (results == nil) {
			t.Errorf("%d problems, %d results, %v", len(problems), len(results), err)
		}
	})
}

// A template is its texts and references, in order.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"", "plain", "${a}", "a ${b.c[0].d-e} f", "$${x}", "${", "${a.b[99999999999]}", "${a}${b}$", "$$${a}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parts, problem := parseTemplate(s)
		if problem != "" {
			return
		}
		var b strings.Builder
		for _, p := range parts {
			if p.ref != nil {
				again, problem := parseReference(p.ref.source)
				if problem != "" || again.step != p.ref.step || !slices.Equal(again.path, p.ref.path) {
					t.Errorf("%q is read in two ways", p.ref.source)
				}
				b.WriteString(p.ref.source)
				continue
			}
			b.WriteString(strings.ReplaceAll(p.text, "${", "$${"))
		}
		if b.String() != s {
			t.Errorf("%q became %q", s, b.String())
		}
	})
}

// A step may name its tool by an alias; the tool is called by its own name, whose
// answer has the members that references are checked against.
func TestRunPlanByAlias(t *testing.T) {
	c := NewCatalog()
	var name string
	var args Arguments
	err := c.Register(Declaration{Name: "read_it", Description: "Reads.", Level: Read, Input: Object(String("how", "")),
		Variants: []Variant{{Name: "read_twice", Args: Arguments{"how": "twice"}}},
		Handler: func(_ context.Context, call Call) (Result, error) {
			name, args = call.Name, call.Args
			return Result{}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ tool, name, how string }{{"ReadIt", "read_it", ""}, {"read_twice", "read_twice", "twice"}} {
		p, err := ParsePlan([]byte(`{"steps":[{"id":"s1","tool":"` + x.tool + `","args":{}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.RunPlan(t.Context(), p, Options{}, nil); err != nil || name != x.name || args.String("how") != x.how {
			t.Errorf("%s: called %q with %v, %v", x.tool, name, args, err)
		}
	}
}
