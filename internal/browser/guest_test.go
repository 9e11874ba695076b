package browser_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// TestGuestHasNoSecrets: a caller who has the data of local without having shown that he is
// that person types none of that person's secrets.
func TestGuestHasNoSecrets(t *testing.T) {
	t.Parallel()
	sites, err := weburl.ParseHostList([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := browser.NewSecrets([]browser.Secret{{Name: "pw", Value: "canary-4711", Sites: sites}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.Secrets = secrets })
	url := site(t, map[string]string{"/": `<title>In</title><input aria-label="Password" oninput="document.title = this.value.length">`})
	for caller, want := range map[principal.Caller]bool{{Name: principal.Local}: true, {Name: principal.Local, Guest: true}: false, {Name: "ann"}: false} {
		ctx := principal.With(t.Context(), caller)
		p, err := b.Navigate(ctx, browser.Place{Owner: caller.Keys()}, browser.Navigation{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		at := browser.Place{Owner: caller.Keys(), Context: p.Context, Tab: p.Tab}
		if _, err := b.Snapshot(ctx, at, browser.SnapshotRequest{}); err != nil {
			t.Fatal(err)
		}
		_, err = b.Type(ctx, at, browser.Typing{Ref: `textbox "Password"`, Text: "${secret:pw}"})
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "there is no secret") {
			t.Errorf("%+v: %v", caller, err)
		}
	}
}
