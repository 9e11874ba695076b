package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of secrets. A text for a field may have ${secret:NAME}, in the place of which the
// browser types the value of a secret that the operator has given. A secret is typed only
// into a field of a document of its sites, for the local principal. What a page makes of it
// is masked in all that a caller gets: by [Secrets.mask], in the forms in which pages print
// what was typed. A picture is not masked.

// Secret is a text for fields that no caller sees.
type Secret struct {
	Name, Value string
	// Sites are the hosts at whose pages it may be typed.
	Sites weburl.HostList
}

// Secrets are those of an operator. A nil *Secrets has none.
type Secrets struct {
	all   []Secret
	masks *strings.Replacer
	forms []string // of their values, as pages print them; the longest first
}

// NewSecrets checks secrets. The error names the entry and has no value.
func NewSecrets(all []Secret) (*Secrets, error) {
	s := &Secrets{all: slices.Clone(all)}
	for i, k := range all {
		switch {
		case !isContextName(k.Name) || k.Name == "":
			return nil, fmt.Errorf("entry %d has no name of letters, digits, points, - and _", i+1)
		case len(k.Value) < minSecret:
			return nil, fmt.Errorf("the value of %s has fewer than %d bytes", k.Name, minSecret)
		case len(k.Sites) == 0:
			return nil, fmt.Errorf("%s has no sites", k.Name)
		case slices.ContainsFunc(all[:i], func(o Secret) bool { return o.Name == k.Name }):
			return nil, fmt.Errorf("two entries have the name %s", k.Name)
		}
		quoted, _ := json.Marshal(k.Value)
		inner := func(quoted string) string { return quoted[1 : len(quoted)-1] }
		query := url.QueryEscape(k.Value)
		for _, form := range []string{k.Value, query, strings.ReplaceAll(query, "+", "%20"), url.PathEscape(k.Value), html.EscapeString(k.Value),
			inner(string(quoted)), inner(strconv.Quote(k.Value)), strings.Join(strings.Fields(k.Value), " ")} {
			if !slices.Contains(s.forms, form) {
				s.forms = append(s.forms, form)
			}
		}
	}
	slices.SortFunc(s.forms, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(s.forms))
	for _, form := range s.forms {
		pairs = append(pairs, form, maskedSecret)
	}
	s.masks = strings.NewReplacer(pairs...)
	return s, nil
}

const (
	maskedSecret = "***"
	opens        = "${secret:"
)

// Values are the values, for logs that mask them.
func (s *Secrets) Values() []string {
	if s == nil {
		return nil
	}
	return slices.Clone(s.forms)
}

// fill puts secrets into a text for a field of a document. It reports whether it has put in
// any.
func (s *Secrets) fill(ctx context.Context, in string, document weburl.URL) (out string, has bool, err error) {
	var w strings.Builder
	for {
		before, rest, ok := strings.Cut(in, opens)
		name, after, closed := strings.Cut(rest, "}")
		w.WriteString(before)
		if !ok || !closed {
			w.WriteString(in[len(before):])
			return w.String(), has, nil
		}
		k, err := s.find(ctx, name, document)
		if err != nil {
			return "", false, err
		}
		w.WriteString(k.Value)
		in, has = after, true
	}
}

func (s *Secrets) find(ctx context.Context, name string, document weburl.URL) (Secret, error) {
	if s == nil || principal.Of(ctx).Keys() != principal.Local {
		return Secret{}, tool.NewError(tool.InvalidInput, "there is no secret "+text.Quoted(name)+" here; nothing was typed", "the operator can give secrets with WEB_SECRETS")
	}
	var here []string
	for _, k := range s.all {
		_, ok := k.Sites.Match(document.Host())
		if ok {
			here = append(here, k.Name)
		}
		if k.Name == name && ok {
			return k, nil
		}
		if k.Name == name {
			return Secret{}, tool.NewError(tool.Blocked, "the secret "+text.Name(name)+" is not for "+text.Name(document.Host())+"; nothing was typed", "it is typed only at its own sites")
		}
	}
	return Secret{}, tool.NewError(tool.InvalidInput, "there is no secret "+text.Quoted(name)+"; nothing was typed", "those for this site: "+quoted(here))
}

// mask replaces the secrets in a text, and the beginning of one that the text was cut in.
func (s *Secrets) mask(in string) string {
	if s == nil || len(s.forms) == 0 {
		return in
	}
	out := s.masks.Replace(in)
	for _, form := range s.forms {
		for n := len(form) - 1; n >= max(minSecret, len(form)/2); n-- {
			if cut := form[:n] + "…"; strings.Contains(out, cut) {
				out = strings.ReplaceAll(out, cut, maskedSecret+"…")
			}
			if strings.HasSuffix(out, form[:n]) {
				out = out[:len(out)-n] + maskedSecret
			}
		}
	}
	return out
}

// MaskResult masks what a call gives, data and error included.
func (s *Secrets) MaskResult(r tool.Result, err error) (tool.Result, error) {
	if s == nil || len(s.forms) == 0 {
		return r, err
	}
	r.Text = s.mask(r.Text)
	for i, n := range r.Notices {
		r.Notices[i] = s.mask(n)
	}
	if r.Data != nil {
		r.Data = s.masked(reflect.ValueOf(r.Data), 0).Interface()
	}
	var e *tool.Error
	if errors.As(err, &e) {
		masked := *e
		masked.Message, masked.Hint = s.mask(e.Message), s.mask(e.Hint)
		if masked.Cause != nil && s.mask(masked.Cause.Error()) != masked.Cause.Error() {
			masked.Cause = nil
		}
		err = &masked
	}
	return r, err
}

// masked copies a value with its strings masked. Fields that are not exported are kept, since
// nothing prints them.
func (s *Secrets) masked(v reflect.Value, depth int) reflect.Value {
	if depth > maskDepth {
		return reflect.Zero(v.Type())
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(s.mask(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(s.masked(v.Elem(), depth+1))
			out.Set(p)
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(s.masked(v.Elem(), depth+1))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if !v.IsNil() {
				out.SetBytes([]byte(s.mask(string(v.Bytes()))))
			}
			break
		}
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(s.masked(v.Index(i), depth+1))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for k, x := range v.Seq2() {
				out.SetMapIndex(s.masked(k, depth+1), s.masked(x, depth+1))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := out.Field(i); f.CanSet() {
				f.Set(s.masked(v.Field(i), depth+1))
			}
		}
	}
	return out
}

// whereScript is the URL of the document of an element.
const whereScript = `function() { return this.ownerDocument.defaultView.location.href }`

// withSecrets puts secrets into a text for an element: they have to be for the document that
// it is in.
func (e *element) withSecrets(ctx context.Context, in string) (out string, has bool, err error) {
	if !strings.Contains(in, opens) {
		return in, false, nil
	}
	at, err := e.word(ctx, whereScript)
	if err != nil {
		return "", false, err
	}
	u, err := weburl.Parse(at)
	if err != nil { // about:blank, data: and the like are of no site
		u = weburl.URL{}
	}
	return e.tab.home.browser.options.Secrets.fill(ctx, in, u)
}

func isContextName(s string) bool {
	return len(s) <= maxContextName && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == ""
}
