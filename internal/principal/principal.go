// Package principal provides who a call is for. A surface puts the [Caller] into
// the context of a call, and the packages that store or count read it there:
//
//	ctx = principal.With(ctx, principal.Caller{Name: "research", Session: "mcp-1f2e"})
//	...
//	owner := principal.Of(ctx).Name
//
// A caller has two parts. The principal (Name) is durable: versions of pages,
// saved logins and saved states belong to it, across sessions and restarts. The
// session ends: browser contexts and lists of resources belong to it, or to the
// principal where the surface has no sessions.
//
// # Guarantees
//
// The zero Caller, and that of a context without one, is the principal [Local]
// without a session. Two tokens never share a principal.
//
// # Limits
//
// All callers without a token are one principal, [Anonymous], or guests of Local: Spyhop
// does not try to tell them apart by address or header.
package principal

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

const (
	// Local is the principal of the command, the library and MCP on stdio.
	Local = "local"
	// Anonymous is the principal of all callers over HTTP without a token.
	Anonymous = "anonymous"
)

// Caller is who a call is for. The zero value is the principal Local without a
// session. Callers can be compared with ==.
type Caller struct {
	// Name is the principal; "" means Local.
	Name string
	// Session identifies the session of the surface; "" means none.
	// It is not a secret.
	Session string
	// Guest says that the caller has the data of the principal Local without having shown
	// that it is that person: any program of the machine that reaches a server on loopback.
	// Saved logins, states and secrets, and what was read with them, are not for guests.
	Guest bool
}

// Keys returns the name of the principal whose logins, states and secrets the caller may
// use: that of all callers without a token for a guest.
func (c Caller) Keys() string {
	if c.Guest {
		return Anonymous
	}
	return c.Principal()
}

// Principal returns the name of the durable principal; it is never empty.
func (c Caller) Principal() string {
	if c.Name == "" {
		return Local
	}
	return c.Name
}

// Mark is a short word for the principal, of lower-case letters and digits. Files have it
// in their names that are given to their owner only; it is not a secret.
func (c Caller) Mark() string {
	sum := sha256.Sum256([]byte(c.Keys()))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5]))
}

type callerKey struct{}

// With returns a context of calls that are for c.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Of returns the caller that a context belongs to. Local is always spelled out,
// so that the result is a valid key of a map.
func Of(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	c.Name = c.Principal()
	return c
}

// Surface is how a call came in, for the audit log.
type Surface struct {
	// Name is that of the surface: "rest", "job".
	Name string
	// RequestID is that of the request, User whom it names as the person behind it; "" where
	// there is none.
	RequestID, User string
}

type surfaceKey struct{}

// WithSurface returns a context of calls that came in by s.
func WithSurface(ctx context.Context, s Surface) context.Context {
	return context.WithValue(ctx, surfaceKey{}, s)
}

// SurfaceOf returns how the call of a context came in; ok is false when nobody said so.
func SurfaceOf(ctx context.Context) (s Surface, ok bool) {
	s, ok = ctx.Value(surfaceKey{}).(Surface)
	return s, ok
}
