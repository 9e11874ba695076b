package search

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// api is a service with JSON whose requests and responses differ from those of others
// only in names.
type api struct {
	url string // after BASE, that of the instance
	// key is the header with the API key, as "X-API-Key" or "Authorization: Bearer"; with
	// "?" the parameter of the query.
	key    string
	header []string // further headers
	// post sends the parameters as a JSON body, not as a query.
	post   bool
	params func(a account, t *Terms, page int) params
	// list is the path of the results in a response, as "web.results". has is the path of
	// what every response has; "" means list.
	list, has string
	// These are the members of a result; of "a,b" the first one that is not empty. Of a
	// list, the first text counts.
	title, link, snippet, published, score, image, width, height string
	// content is the member with what the service has of the page; "": none.
	content string
	// kind is the type of the results that count; "": all.
	kind string
	// form changes a copy of the api for a query, for example for its topic; nil: nothing
	// changes.
	form func(t *Terms, x *api)
	// result completes a result of an element of the list; nil: it is complete.
	result func(t *Terms, e any, r *Result)
	// check returns the error of a response whose status is 2xx; nil: it has none.
	check func(v any) error
}

// params are the parameters of a request. Those that are empty are not sent.
type params map[string]any

// with makes the definition of a service with an api.
func (d definition) with(x api) definition {
	of := func(t *Terms) *api {
		y := x
		if x.form != nil {
			x.form(t, &y)
		}
		return &y
	}
	d.request = func(a account, t *Terms, page int) request { return of(t).request(a, t, page) }
	d.read = func(t *Terms, r *response) ([]Result, error) { return of(t).read(t, r) }
	return d
}

func (x *api) request(a account, t *Terms, page int) request {
	r := request{url: strings.Replace(x.url, "BASE", a.base, 1), header: x.header}
	p := x.params(a, t, page)
	p.compact()
	name, scheme, _ := strings.Cut(x.key, ":")
	if key, inQuery := strings.CutPrefix(x.key, "?"); inQuery {
		p[key] = a.key
	} else if name != "" {
		r.header = append([]string{name, strings.TrimSpace(scheme + " " + a.key)}, x.header...)
	}
	if x.post {
		r.json = p
		return r
	}
	r.query = url.Values{}
	for name, v := range p {
		r.query.Set(name, fmt.Sprint(v))
	}
	return r
}

// compact drops the empty parameters.
func (p params) compact() {
	for name, v := range p {
		empty := v == "" || v == 0
		switch v := v.(type) {
		case []string:
			empty = len(v) == 0
		case params:
			v.compact()
			empty = len(v) == 0
		}
		if empty {
			delete(p, name)
		}
	}
}

func (x *api) read(t *Terms, r *response) ([]Result, error) {
	v, err := decode[any](r)
	if err != nil {
		return nil, errShape
	}
	if x.check != nil {
		if err := x.check(v); err != nil {
			return nil, err
		}
	}
	list, isList := at(v, x.list).([]any)
	if has := at(v, first(x.has, x.list)); has == nil || !isList && (at(v, x.list) != nil || x.has != "" && strings.HasPrefix(x.list, x.has+".") && !isObject(has)) {
		return nil, errShape
	}
	var out []Result
	for _, e := range list {
		if !isObject(e) {
			return nil, errShape
		}
		if kind := textAt(e, "type"); x.kind != "" && kind != "" && kind != x.kind {
			continue
		}
		one := Result{Title: textAt(e, x.title), URL: textAt(e, x.link), Snippet: textAt(e, x.snippet), Published: textAt(e, x.published), Content: textAt(e, x.content),
			Score: numberAt(e, x.score), Image: textAt(e, x.image), ImageWidth: int(numberAt(e, x.width)), ImageHeight: int(numberAt(e, x.height))}
		if x.result != nil {
			x.result(t, e, &one)
		}
		out = append(out, one)
	}
	return out, nil
}

func isObject(v any) bool { _, ok := v.(map[string]any); return ok }

// at returns the value at a path such as "web.results"; nil where there is none.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// numberAt returns the number at a path, or 0.
func numberAt(v any, path string) float64 { f, _ := at(v, path).(float64); return f }

// textAt returns the first text at one of several paths.
func textAt(v any, paths string) string {
	for path := range strings.SplitSeq(paths, ",") {
		if all := textsAt(v, path); len(all) > 0 {
			return all[0]
		}
	}
	return ""
}

// textsAt returns the texts at a path, a text or a list of them.
func textsAt(v any, path string) (all []string) {
	found := at(v, path)
	list, isList := found.([]any)
	if !isList {
		list = []any{found}
	}
	for _, e := range list {
		if s, _ := e.(string); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// wantsPassages reports whether a service that sells passages of web pages is asked for them.
func (t *Terms) wantsPassages() bool { return t.IncludeContent && t.Topic == "" }

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// beyond is the number of a page that counts from 1; the first one is not sent.
func beyond(page int) int {
	if page == 0 {
		return 0
	}
	return page + 1
}

// endOf returns the last second of a day; the zero time stays zero.
func endOf(d time.Time) time.Time {
	if d.IsZero() {
		return d
	}
	return d.Add(24*time.Hour - time.Second)
}

// googleTime returns Google's tbs parameter: a time range, or dates with the
// month first.
func googleTime(t *Terms) string {
	const layout = "01/02/2006"
	switch {
	case t.TimeRange != "":
		return "qdr:" + t.TimeRange[:1]
	case t.dated():
		s := "cdr:1"
		if !t.start.IsZero() {
			s += ",cd_min:" + t.start.Format(layout)
		}
		if !t.end.IsZero() {
			s += ",cd_max:" + t.end.Format(layout)
		}
		return s
	}
	return ""
}
