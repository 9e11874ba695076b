// Package egress provides the only way out: the policy that every address has
// to pass, and the transport that dials nothing else than what has passed.
//
//	guard, err := egress.New(egress.Policy{})
//	if err != nil {
//		return err
//	}
//	u, err := weburl.Parse("http://example.com/")
//	if err != nil {
//		return err
//	}
//	u, verdict := guard.Judge(u) // https://example.com/, allowed
//	client := &http.Client{Transport: guard.RoundTripper()}
//
// A [Guard] judges in a fixed order, and the first rule that refuses decides:
// length, spelling, scheme, user information, block list and allow list,
// names, ports, literal addresses, plain http. [Guard.Judge] stops there, and
// no packet leaves. [Guard.Check] goes on to resolve the name and to judge all
// of its addresses. A round tripper does both, and then dials the addresses
// that it has judged, without asking for the name a second time; the socket's
// real address is compared once more before it connects. So a name that
// changes its answer between the check and the connection gains nothing.
//
// What may be dialled is decided by [Classify], from a table with a source for
// each row. Only [Public] passes. Three doors stand beside it, all opened by
// the operator and never by a page or a model: [Policy.Private] for single
// hosts and networks, [Policy.Endpoints] for the services of the
// configuration, [Policy.NAT64] for networks that reach IPv4 through NAT64.
// Metadata services pass through none of them.
//
// A refusal is a [Decision] with the rule and the host that was asked for. It
// never holds an address that a name resolved to, nor whether something
// answers there, so that it cannot be used to map a network. [Decision.Addr]
// is for the audit log alone.
//
// The forward proxy for the browser belongs into this package as well: Chromium
// is pointed at a loopback listener that takes CONNECT and absolute-form
// requests, gives each target to the same Judge, and dials with the same
// dialer. It is not here yet; [Policy.Observe] and the dialer are made so that
// it needs no second set of rules.
//
// # Guarantees
//
// No request of a round tripper reaches an address that was not judged for the
// host and port of that very request: connections are kept alive by host and
// port, and each request is judged before it may take one. Redirects are not
// followed. Proxies of the environment, cookies, netrc files and user
// information are not used. The Host header and the TLS server name are those
// of the judged URL. Any bad address among a name's answers refuses the name.
//
// # Limits
//
// Names resolve with Go's resolver, which reads the machine's hosts file; what
// stands there is judged like any answer. An exception for an address or a
// network holds for each name that resolves to it alone, so that a page's own
// name can be pointed there: name the host instead, where that matters. An
// exception without a port leaves the port rules in force. The body of an
// answer has no bound here; the reader sets it.
package egress
