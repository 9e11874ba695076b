package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Catalog holds declarations in the order of their registration. The zero
// value is empty and ready to use. A catalog must not be copied after use.
type Catalog struct {
	mu     sync.RWMutex
	tools  []Declaration
	off    map[string]*Error // by name and alias
	model  bool
	around Around
}

// Around wraps a call: it gets the tool's name and makes the call with next.
// The errors of next are *[Error].
type Around func(ctx context.Context, tool string, o Options, next func(context.Context) (Result, error)) (Result, error)

// Around makes f wrap every later call, calls with wrong arguments included.
// Nil removes the wrapper.
func (c *Catalog) Around(f Around) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.around = f
}

// NewCatalog returns an empty catalog.
func NewCatalog() *Catalog { return new(Catalog) }

// Register adds a tool. It fails when one of its names is already the name or
// alias of a tool, and when the declaration is wrong: the name has characters
// other than lower-case letters, digits and "_", the description is empty, the
// input is not an object, a default does not fit its schema, or the handler is
// nil.
func (c *Catalog) Register(d Declaration) error {
	if d.Input.IsZero() {
		d.Input = Object()
	}
	if d.Kind == "" {
		d.Kind = Plain
	}
	if d.Permission == "" {
		d.Permission = Cautious
	}
	if err := d.check(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	names := append([]string{d.Name}, d.Aliases...)
	for _, v := range d.Variants {
		names = append(names, v.Name)
	}
	for _, name := range names {
		if other, ok := c.lookup(name); ok {
			return fmt.Errorf("tool %q: the name %q belongs to %q", d.Name, name, other.Name)
		}
	}
	c.tools = append(c.tools, d)
	return nil
}

// SwitchOff has Find answer a tool's name and aliases with an error of the type Blocked:
// why says what the tool does that is not allowed, hint who can allow it. Names that a
// registered tool has stay that tool's.
func (c *Catalog) SwitchOff(d Declaration, why, hint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off == nil {
		c.off = map[string]*Error{}
	}
	for _, name := range append([]string{d.Name}, d.Aliases...) {
		c.off[name] = NewError(Blocked, fmt.Sprintf("tool %q is switched off: %s", name, why), hint)
	}
}

func (d *Declaration) check() error {
	if d.Name == "" || len(d.Name) > maxNameLength || strings.Trim(d.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return fmt.Errorf("tool %q: a name has 1 to %d lower-case letters, digits and _", d.Name, maxNameLength)
	}
	switch {
	case d.Summary() == "":
		return fmt.Errorf("tool %q has no description", d.Name)
	case d.Input.Type != TypeObject:
		return fmt.Errorf("tool %q: the input is not an object", d.Name)
	case d.Kind != Plain && d.Kind != Browser:
		return fmt.Errorf("tool %q: kind %q is unknown", d.Name, d.Kind)
	case d.Permission != Cautious && d.Permission != Interactive:
		return fmt.Errorf("tool %q: permission %q is unknown", d.Name, d.Permission)
	case d.Level < Search || d.Level > CleanUp:
		return fmt.Errorf("tool %q: level %d is unknown", d.Name, d.Level)
	case d.Handler == nil:
		return fmt.Errorf("tool %q has no handler", d.Name)
	}
	for _, s := range []*Schema{&d.Input, &d.Output, &d.Data} {
		if err := s.check(d.Name); err != nil {
			return err
		}
	}
	return d.checkVariants()
}

func (d *Declaration) checkVariants() error {
	for _, v := range d.Variants {
		for name := range v.Args {
			if _, ok := d.Input.Property(name); !ok {
				return fmt.Errorf("tool %q: the variant %q gives the argument %q, which is unknown", d.Name, v.Name, name)
			}
		}
		variant := d.as(v)
		if err := variant.Input.check(v.Name); err != nil {
			return err
		}
	}
	return nil
}

// Lookup returns the tool with this name or alias. For the name of a variant,
// the declaration has the variant's defaults. Names in another case or with
// other separators, for example web-fetch and WebFetch, are found too.
func (c *Catalog) Lookup(name string) (Declaration, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.lookup(name)
}

func (c *Catalog) lookup(name string) (Declaration, bool) {
	for _, d := range c.tools {
		if d.Name == name || slices.Contains(d.Aliases, name) {
			return d, true
		}
		for _, v := range d.Variants {
			if v.Name == name {
				return d.as(v), true
			}
		}
	}
	want := snake(name)
	for _, d := range c.tools {
		if d.Name == want {
			return d, true
		}
	}
	return Declaration{}, false
}

// Find is Lookup with an error that suggests the nearest tool. It never
// suggests a tool that acts on pages: a model that guessed a name would then
// act because of a guess.
func (c *Catalog) Find(name string) (Declaration, *Error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d, ok := c.lookup(name); ok {
		return d, nil
	}
	if e, ok := c.off[name]; ok {
		return Declaration{}, e
	} else if e, ok := c.off[snake(name)]; ok {
		return Declaration{}, e
	}
	var all, named []string
	for _, d := range c.tools {
		all = append(all, d.Name)
		if d.Permission != Interactive {
			named = append(named, d.Name)
		}
	}
	e := NewError(InvalidInput, fmt.Sprintf("tool %q is unknown", shorten(name)), "")
	switch near := Nearest(name, all); {
	case near != "" && slices.Contains(named, near):
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	case near != "":
		e.Hint = "a tool with a similar name acts on pages; such a tool needs its exact name, which is in the list of tools"
	case len(named) == len(all) && len(all) > 0:
		e.Hint = "the tools are " + strings.Join(named, ", ")
	case len(named) > 0:
		e.Hint = "the tools that do not act on pages are " + strings.Join(named, ", ")
	}
	return Declaration{}, e
}

// HasModel says whether the program has a language model. Without one, List leaves out
// the tools that need it; they can be called by a caller with a model of its own.
func (c *Catalog) HasModel(has bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model = has
}

// List returns the tools of the profiles in the order of registration; no
// profile, or All, means every tool. See also [Catalog.HasModel].
func (c *Catalog) List(profiles ...Profile) []Declaration {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.list(c.model, profiles)
}

// ListForModel is List for a caller with a language model of its own.
func (c *Catalog) ListForModel(profiles ...Profile) []Declaration {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.list(true, profiles)
}

func (c *Catalog) list(model bool, profiles []Profile) []Declaration {
	var out []Declaration
	for _, d := range c.tools {
		if (model || !d.NeedsModel) && (len(profiles) == 0 || d.In(profiles...)) {
			out = append(out, d)
		}
	}
	return out
}

// Call reads the arguments and calls the tool's handler. The error, if any, is
// an *Error.
func (c *Catalog) Call(ctx context.Context, name string, args json.RawMessage, o Options) (Result, error) {
	d, e := c.Find(name)
	if e != nil {
		return Result{}, e
	}
	c.mu.RLock()
	around := c.around
	c.mu.RUnlock()
	if around == nil {
		return d.call(ctx, name, args, o)
	}
	return around(ctx, d.Name, o, func(ctx context.Context) (Result, error) { return d.call(ctx, name, args, o) })
}

func (d *Declaration) call(ctx context.Context, name string, args json.RawMessage, o Options) (Result, error) {
	read, notices, e := d.Input.Read(args)
	if e != nil {
		return Result{}, e
	}
	if err := ctx.Err(); err != nil {
		return Result{}, AsError(err)
	}
	length, asked := d.Input.length(read)
	if d.FixedForm || asked {
		o.AnswerChars, o.AnswerBytes = 0, 0
	}
	r, err := d.run(ctx, Call{Tool: d.Name, Name: name, Args: read, Notices: notices, Options: o})
	r.Notices = append(notices, r.Notices...)
	if err != nil {
		return r, AsError(err)
	}
	r.within(o.AnswerLimit(), length)
	return r, nil
}

// run calls the handler and converts a panic to an error whose cause has the
// stack.
func (d *Declaration) run(ctx context.Context, call Call) (r Result, err error) {
	defer Recovered("tool "+d.Name, &err)
	return d.Handler(ctx, call)
}

// Recovered, which is to be deferred, makes a panic in what an error of type Internal
// with the stack as its cause, and leaves err as it is where there was none. A panic in a
// goroutine of its own would end the process.
func Recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = AsError(fmt.Errorf("panic in %s: %v\n%s", what, p, debug.Stack()))
	}
}
