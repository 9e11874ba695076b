// Package budget provides the limits of what the agent of a session may use: calls,
// pages, tokens and bytes, and calls of single tools.
//
//	limits, err := budget.Parse("calls=200,pages=50,tokens=100000,bytes=50MB", "web_search=10")
//	if err != nil {
//		return err
//	}
//	keeper := budget.New(limits)
//	result, err := keeper.Call(ctx, "web_fetch", session, next)
//
// A result says what is left. When something is used up, the next call and the next page
// fail with an error that says what was used.
//
// # Guarantees
//
// A Keeper is safe for concurrent use. A call within a call, for example of the agent of
// web_answer, is part of the outer one; its pages and bytes count.
//
// # Limits
//
// Tokens and bytes are known when they were used: the last call can go beyond them.
// Callers without a session share a count by principal, which begins again after a day.
package budget

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// maxSessions bounds the counts that are kept.
	maxSessions = 20_000
	// day is how long the count of callers without a session lasts.
	day = 24 * time.Hour
)

// The resources of a budget, in the order in which results list them.
const (
	calls = iota
	pages
	tokens
	bytes
	resources
)

var names = [resources]string{"calls", "pages", "tokens", "bytes"}

// Limits are what a session may use. The zero value has no limit.
type Limits struct {
	most [resources]int64 // 0: no limit
	uses map[string]int64 // by tool
}

// Parse reads the limits of a session, such as "calls=200,pages=50,tokens=100000,bytes=50MB",
// and those of tools, such as "web_search=10". Both may be empty.
func Parse(session, uses string) (Limits, error) {
	var l Limits
	all, err := parse(session)
	if err != nil {
		return l, err
	}
	for name, n := range all {
		i := slices.Index(names[:], name)
		if i < 0 {
			return l, fmt.Errorf("%q is not one of %s", name, strings.Join(names[:], ", "))
		}
		l.most[i] = n
	}
	l.uses, err = parse(uses)
	return l, err
}

// Tools returns the names of the tools that have a limit.
func (l Limits) Tools() []string { return slices.Sorted(maps.Keys(l.uses)) }

func parse(s string) (map[string]int64, error) {
	out := map[string]int64{}
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		factor := int64(1)
		for unit, f := range map[string]int64{"kB": 1e3, "MB": 1e6, "GB": 1e9} {
			if number, ok := strings.CutSuffix(value, unit); ok && name == names[bytes] {
				value, factor = number, f
			}
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if !ok || err != nil || n < 1 || n > 1e12/factor || out[name] > 0 {
			return nil, fmt.Errorf("%q is not NAME=NUMBER", part)
		}
		out[name] = n * factor
	}
	return out, nil
}

// Keeper counts what sessions use. A nil Keeper has no limits.
type Keeper struct {
	limits Limits
	now    func() time.Time

	mu       sync.Mutex
	sessions *lru.Map[string, *account]
}

// account is what a session has used. Its fields are guarded by Keeper.mu.
type account struct {
	since time.Time
	used  [resources]int64
	uses  map[string]int64
}

// New returns a Keeper; nil if there are no limits.
func New(l Limits) *Keeper {
	if l.most == [resources]int64{} && len(l.uses) == 0 {
		return nil
	}
	return &Keeper{limits: l, now: time.Now, sessions: lru.New[string, *account](maxSessions)}
}

// End forgets what a session has used.
func (k *Keeper) End(session string) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sessions.Delete(session)
}

// running is a call that counts, in its context.
type running struct {
	keeper  *Keeper
	account *account
}

type runningKey struct{}

// Call makes a call of a tool, unless the session has used up its budget. session is
// [tool.Options].Session. The error is a *tool.Error, or that of next.
func (k *Keeper) Call(ctx context.Context, name, session string, next func(context.Context) (tool.Result, error)) (tool.Result, error) {
	if _, inner := ctx.Value(runningKey{}).(running); inner || k == nil {
		return next(ctx)
	}
	a, err := k.begin(name, session)
	if err != nil {
		return tool.Result{}, err
	}
	r, err := next(context.WithValue(ctx, runningKey{}, running{k, a}))
	if err != nil {
		return r, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	a.used[tokens] += int64(llm.EstimateTokens(len(r.Text)))
	left := "The budget of this session has " + k.list(a, name, func(used, most int64) int64 { return max(most-used, 0) }) + " left."
	if r.Noted {
		r.Text += "\nNote: " + left
	}
	r.Notices = append(r.Notices, left)
	return r, nil
}

// begin counts a call.
func (k *Keeper) begin(name, session string) (*account, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	a, ok := k.sessions.Get(session)
	if !ok || strings.HasPrefix(session, tool.Stateless) && now.Sub(a.since) >= day {
		a = &account{since: now, uses: map[string]int64{}}
		k.sessions.Put(session, a)
	}
	if err := k.spent(a); err != nil {
		return nil, err
	}
	if most := k.limits.uses[name]; most > 0 && a.uses[name] >= most {
		return nil, tool.NewError(tool.Blocked, fmt.Sprintf("all %d calls of %s that this session may make are used up", most, text.Name(name)),
			"answer from what you have, or use another tool; the operator can raise WEB_MAX_USES")
	}
	a.used[calls]++
	a.uses[name]++
	return a, nil
}

// spent is the error of a session that has used up something; nil if it has not. The lock
// is held.
func (k *Keeper) spent(a *account) error {
	for i, most := range k.limits.most {
		if most > 0 && a.used[i] >= most {
			return tool.NewError(tool.Blocked, "the budget of this session is used up: "+k.list(a, "", func(used, _ int64) int64 { return used }),
				"answer from what you have; the operator can raise WEB_SESSION_BUDGET")
		}
	}
	return nil
}

// list writes a number of each limit, for example "188 of 200 calls, 40 of 50 pages". The
// lock is held.
func (k *Keeper) list(a *account, name string, number func(used, most int64) int64) string {
	var parts []string
	for i, most := range k.limits.most {
		switch n := number(a.used[i], most); {
		case most == 0:
		case i == bytes:
			parts = append(parts, fmt.Sprintf("%.1f of %.1f MB", float64(n)/1e6, float64(most)/1e6))
		default:
			parts = append(parts, fmt.Sprintf("%d of %d %s", n, most, names[i]))
		}
	}
	if most := k.limits.uses[name]; most > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d uses of %s", number(a.uses[name], most), most, text.Name(name)))
	}
	if len(parts) == 0 {
		return "no limit for this tool"
	}
	return strings.Join(parts, ", ")
}

// Page counts a page that the call of ctx requests. It fails with a *tool.Error when the
// session has used up its pages or bytes.
func Page(ctx context.Context) error {
	r, ok := ctx.Value(runningKey{}).(running)
	if !ok {
		return nil
	}
	r.keeper.mu.Lock()
	defer r.keeper.mu.Unlock()
	for _, i := range []int{pages, bytes} {
		if most := r.keeper.limits.most[i]; most > 0 && r.account.used[i] >= most {
			return r.keeper.spent(r.account)
		}
	}
	r.account.used[pages]++
	return nil
}

// Bytes counts bytes that the call of ctx has received.
func Bytes(ctx context.Context, n int64) {
	if r, ok := ctx.Value(runningKey{}).(running); ok {
		r.keeper.mu.Lock()
		defer r.keeper.mu.Unlock()
		r.account.used[bytes] += n
	}
}

// PagesLeft returns how many pages the call of ctx may still request; ok is false when
// there is no limit.
func PagesLeft(ctx context.Context) (n int64, ok bool) {
	r, found := ctx.Value(runningKey{}).(running)
	if !found || r.keeper.limits.most[pages] == 0 {
		return 0, false
	}
	r.keeper.mu.Lock()
	defer r.keeper.mu.Unlock()
	return max(r.keeper.limits.most[pages]-r.account.used[pages], 0), true
}
