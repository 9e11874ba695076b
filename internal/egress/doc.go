// Package egress provides the egress boundary: the policy that decides about
// every address, and the only transports that dial. It blocks server-side
// request forgery (SSRF): private addresses and metadata services are not
// reached.
//
//	guard, err := egress.New(egress.Policy{})
//	if err != nil {
//		return err
//	}
//	u, err := weburl.Parse("http://example.com/")
//	if err != nil {
//		return err
//	}
//	u, decision := guard.Judge(u) // https://example.com/, allowed
//	client := &http.Client{Transport: guard.RoundTripper()}
//
// A [Guard] applies its rules in a fixed order, and the first rule that refuses
// decides: length, spelling, scheme, user information, blocklist and allowlist,
// names, ports, literal addresses, plain http. [Guard.Judge] applies these rules
// and sends no packet. [Guard.Check] also resolves the name and judges all of its
// addresses. A round tripper does both and then dials the addresses that it has
// judged, without a second lookup; before the socket connects, its address is
// compared with the judged one. A name that changes its answer between the check
// and the connection (DNS rebinding) therefore gains nothing.
//
// [classify] says which addresses may be dialled, from a table with a source for
// each row. Only [public] addresses pass. The operator can configure three
// exceptions, a page or a model none: [Policy.Private] for hosts and networks,
// [Policy.Endpoints] for the services of the configuration, [Policy.NAT64] for
// networks that reach IPv4 through NAT64. None of them allows a metadata
// service.
//
// A refusal is a [Decision] with the rule and the host that was asked for. It
// contains neither an address that the name resolved to nor whether something
// answers there, so that it cannot be used to map a network. [Decision.Addr] is
// for the audit log only.
//
// Programs that dial by themselves, a browser or another child process, use a
// [Proxy]: a forward proxy for one session on a loopback port, which applies the
// same rules to each target and dials with the same dialer. Its port can be in a
// network namespace that has no other connection, see [NamespaceListeners]. All
// refusals and failures of a proxy are the same bytes.
//
// With [Policy.Proxy], public addresses are reached through an upstream proxy.
// Names are still resolved and judged here, and the upstream proxy gets the
// judged address. The address that it really dials cannot be checked: the
// comparison at the socket covers the connection to the proxy only.
//
// # Guarantees
//
// No request of a round tripper or a proxy reaches an address that was not
// judged for the host and port of that request: round trippers keep connections
// alive by host and port and judge each request before it takes one; proxies
// keep no connection. Redirects are not followed. Proxies of the environment,
// cookies, netrc files and user information are not used. The Host header and
// the TLS server name are those of the judged URL. One bad address among the
// answers for a name refuses the name.
//
// # Limits
//
// Names resolve with Go's resolver, which reads the hosts file of the machine;
// its entries are judged like any answer. An exception for an address or a
// network holds for each name that resolves to nothing else. The owner of a page
// can therefore point a name there: configure the host instead, where that
// matters. An exception without a port leaves the port rules in force. The size
// of a body has no bound here; the reader of the body sets it.
//
// A proxy judges the target of a tunnel, not its content: another name in the
// TLS handshake is between the client and the judged address. Only a network
// namespace stops a child process that ignores its proxy. The time that a
// refusal takes differs from that of a failure, by what the DNS and the network
// take. With an upstream proxy, this machine has to resolve public names itself.
package egress
