// Package fetch provides HTTP responses: it gets an address, follows redirects,
// and returns the decoded body.
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
//		// another host, not followed: res.Redirect names it
//	}
//	use(res.MediaType, res.Body)
//
// A call is a loop over hops. For each hop, the egress policy decides
// ([Options.Judge]), the client sends one request ([Options.RoundTripper]), and
// the response is a redirect or is read. The client counts the bytes of a body,
// removes at most two content encodings, determines the kind of content from
// the first bytes, reads as much as that kind allows, and converts text to
// UTF-8.
//
// Before a hop, the client reads robots.txt where a request asks for that, and
// waits for a turn: the number of requests to a site at a time, and per second,
// is limited. Equal requests in flight are sent once. If a server sends
// Retry-After, the client asks once more, provided that the call has the time.
// A failure that the same request would meet again is remembered for a short
// time; its hint says what to do instead.
//
// The media type follows from the declared type and from the bytes. The
// character encoding is determined in this order: byte order mark, Content-Type,
// a declaration in the document, UTF-8 where the bytes are valid UTF-8,
// detection, windows-1252. A declaration that the bytes disprove is ignored.
// ISO-2022-JP is used only when it is declared, UTF-7 never.
//
// # Guarantees
//
// Get returns within [Request.Timeout], also when a server sends nothing, or a
// byte a second, or without end. No other limit in time exists: the lookup, the
// connection, the first byte and the body of each hop, robots.txt, a turn at the
// site and a wait that a server asks for last as long as the call has time left.
//
// The client holds in memory no more than the limits allow, whatever the
// compression ratio. No response makes it panic. It leaves no goroutine and no
// open body behind. Bodies of text types are valid UTF-8 without NUL, and end
// with a whole character.
//
// Credentials are sent only to the origin of [Request.URL], a [Login] only to
// its site, and neither after a call has left that origin or site. Referer is
// never sent. Cookies that servers set are sent back within the same call only, or
// within the calls that share a [Jar]. No text of this package contains an
// address that a name resolved to; [Error.Cause] can contain one.
//
// If a body was cut off, by the server or by a limit, [Response.Truncated] and
// [Response.TruncatedWhy] say so.
//
// # Limits
//
// Bodies of text types keep control characters other than NUL, because an HTML
// parser has to see what a browser sees. A program that prints a body has to
// remove them. Of content that is neither text nor a document (sound, video,
// archives, programs) only the first 64 KiB are read. The type of an office
// document comes from its zip directory, without unpacking.
//
// A [Client] does not store successful responses. A [Cache] stands in front of
// one, sends the validators of a stored response as headers, and sees 304 as
// [Response.Status]. Rate limits and remembered failures belong to one Client:
// two processes have two of each.
package fetch
