package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of a profile that lasts (Options.Profile):
//
//   - Calls of the local principal that name no context work in the profile, with its cookies
//     and storage. Contexts with names are new ones, as without a profile.
//   - The browser has the proxy of the profile from its start, by its flags alone: it runs
//     without a network namespace. Pages that are rendered for a read, and logins, have a
//     browser of their own, as without a profile.
//   - One browser uses a profile at a time. It is ended in order, so that it writes what it
//     has, and the folder stays.

// profileContext is the name of the context of the profile.
const profileContext = "profile"

// errProfile is why a browser with a profile runs without a namespace.
var errProfile = errors.New("a browser with a profile that lasts is started without one")

// inProfile reports whether a new context without a name is that of the profile.
func (b *Browser) inProfile(ctx context.Context, at Place) bool {
	return b.options.Profile != "" && !at.private && (at.Context == "" || at.Context == profileContext) && principal.Of(ctx).Name == principal.Local
}

// lockProfile takes a profile for a browser that runs under uid.
func lockProfile(dir string, uid int) (unlock func(), err error) {
	inUse := func(by string) error {
		return &tool.Error{Type: tool.BrowserError, Message: "the profile " + text.Path(dir) + " is in use by " + by,
			Hint: "close that browser, or name another folder with WEB_BROWSER_PROFILE"}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if unlock, err = lockFile(filepath.Join(dir, "spyhop.lock")); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, inUse("another spyhop")
		}
		return nil, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	// Chromium names the process that has a profile in a link, as host-number.
	if link, err := os.Readlink(filepath.Join(dir, "SingletonLock")); err == nil {
		host, _ := os.Hostname()
		pid, none := strconv.Atoi(strings.TrimPrefix(link, host+"-"))
		if none == nil && pid > 0 && lives(pid) {
			return unlock, inUse(fmt.Sprintf("the browser with the process id %d", pid))
		}
	}
	if uid == ownUID {
		return unlock, nil
	}
	return unlock, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, uid, uid)
	})
}

// endLimit is how long a browser with a profile may take to write what it has.
const endLimit = 5 * time.Second

// closeOrderly has the browser end itself.
func (e *engine) closeOrderly() {
	ctx, cancel := within(e.ctx, endLimit)
	defer cancel()
	_ = do(ctx, e.root, browser.Close, cdp.Empty{})
	select {
	case <-e.process.exited:
	case <-ctx.Done():
	}
}
