// Package fetch provides the way from an address to its bytes: redirects that
// are judged hop by hop, limits on everything a server can send, content
// decoding, and text in valid UTF-8.
//
//	client, err := fetch.New(fetch.Options{RoundTripper: transport, Judge: judge})
//	if err != nil {
//		return err
//	}
//	res, err := client.Get(ctx, fetch.Request{URL: u})
//	if err != nil {
//		return err // always a *fetch.Error
//	}
//	if !res.Redirect.IsZero() {
//		// another host, not followed: res.Redirect says where
//	}
//	use(res.MediaType, res.Body)
//
// A call is a loop over hops. Each hop is judged ([Options.Judge]), requested
// once through [Options.RoundTripper], and either leads on or is read. Reading
// is one pipe: the bytes of the wire are counted and timed, at most two content
// encodings are taken off, the first bytes decide what kind of content it is,
// the kind decides how much is read, and text is converted to UTF-8.
//
// Before a hop, robots.txt is asked where that is wanted, and the hop waits for
// its turn: so many requests to one site at a time, and so many per second.
// Equal requests in flight are one. A server that asks to wait is asked once
// more where the call has the time. A failure that the same request would meet
// again is remembered for a short time, and says what to do instead.
//
// The media type is decided from what the server declares and from what the
// bytes say. The character encoding is decided in this order: byte order mark,
// Content-Type, a declaration in the document, UTF-8 where it is valid,
// detection, windows-1252. A declaration that the bytes disprove is passed
// over. ISO-2022-JP is believed only when it is declared, UTF-7 never.
//
// # Guarantees
//
// Get returns within [Request.Timeout], also when a server sends nothing, or a
// byte a second, or without end. That limit is the only one in time: the lookup,
// the connection, the first byte and the body of each hop, robots.txt, a turn at
// the site and a wait that a server asks for last as long as the call has time
// left. It holds in memory no more than the limits
// allow, whatever the compression ratio. It does not panic on any answer. It
// leaves no goroutine and no open body behind. The bodies of text types are
// valid UTF-8 without NUL, and end with a whole character. Credentials go to
// the origin of [Request.URL] alone, a [Login] to its site alone, and no more
// once a call has left it. Referer and cookies of the server are never sent. No
// text that this package makes shows an address that a name resolved to;
// [Error.Cause] may.
//
// What was cut off, by the server or by a limit, is said in
// [Response.Truncated] and [Response.TruncatedWhy].
//
// # Limits
//
// Bodies of text types keep control characters other than NUL, because a
// parser of HTML has to see what a browser sees: who prints a body has to
// remove them. Only the head of a body that nobody reads as text or document
// (sound, video, archives, programs) is read. The type of an office document
// is taken from its zip directory, without unpacking.
//
// A [Client] does not keep successful answers. A [Cache] stands before one, gives
// the validators of a stored answer as headers, and sees 304 as
// [Response.Status]. Pace and memory are those of one Client: two processes
// have two.
package fetch
