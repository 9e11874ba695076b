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
// What dials by itself, a browser or another child process, is given a [Proxy]:
// a forward proxy for one session, on a loopback port, that gives each target to
// the same judge and dials with the same dialer. Its port can be in a network
// namespace that has no other way out, see [NamespaceListeners]. All its refusals and
// failures are the same bytes.
//
// With [Policy.Proxy], public addresses are reached through an upstream proxy.
// Names are resolved and judged here as ever, and the upstream proxy is told
// the judged address. What it dials is its own word: the comparison at the
// socket sees the way to the proxy only.
//
// # Guarantees
//
// No request of a round tripper or a proxy reaches an address that was not
// judged for the host and port of that very request: round trippers keep
// connections alive by host and port, and judge each request before it may take
// one; proxies keep none. Redirects are not followed. Proxies of the environment, cookies, netrc files and user
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
//
// A proxy judges where a tunnel leads, not what goes through: another name in
// the TLS handshake is between the client and the judged address. A child
// process that ignores its proxy is held by a namespace or not at all. The
// times of a refusal and of a failure differ by what the DNS and the network
// take. With an upstream proxy, this machine has to resolve outer names itself.
package egress
