package browser

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Rules of certificates. Chromium has authorities of its own. Where it does not trust a
// certificate, the guard decides: it connects to the same server, as the HTTP client does,
// with the authorities of the system (SSL_CERT_FILE), and the hosts whose certificates are
// not checked (WEB_TLS_INSECURE). So both trust the same. A person's browser decides for
// itself.

// The protocol's names for this are not among those of cdproto, since they are deprecated.
const (
	overrideCertificates = "Security.setOverrideCertificateErrors"
	certificateError     = "Security.certificateError"
	decideCertificate    = "Security.handleCertificateError"
)

// hearCertificate decides about a certificate that the browser does not trust. t.mu is held.
func (t *tab) hearCertificate(params []byte) {
	ev, ok := decodeEvent[struct {
		ID  int    `json:"eventId"`
		URL string `json:"requestURL"`
	}](params)
	if !ok {
		return
	}
	t.engine.background(func(ctx context.Context) {
		action := "cancel"
		u, err := weburl.Parse(ev.URL)
		if err == nil && t.engine.trusts != nil && t.engine.trusts(ctx, u) {
			action = "continue"
		} else {
			t.update(func() { t.untrusted = u.Host() })
		}
		_ = t.main.Call(ctx, decideCertificate, json.RawMessage(`{"eventId":`+strconv.Itoa(ev.ID)+`,"action":"`+action+`"}`), nil)
	})
}

// uncheckedNotice is what each answer says of a page whose certificate was not checked; "" for
// others.
func (b *Browser) uncheckedNotice(at string) string {
	u, err := weburl.Parse(at)
	if err != nil || u.Scheme() != "https" || !b.options.Guard.Unchecked(u.Host()) {
		return ""
	}
	return "the certificate of " + text.Name(u.Host()) + " was not checked (WEB_TLS_INSECURE)"
}
