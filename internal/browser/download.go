package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Rules of downloads. The browser writes a download into a folder of its own, under
// a name that the page does not choose. A complete download is moved to the captures
// with mode 0600 and a random name; only its extension comes from the page. No
// program opens it. The answer has its name, size, type and path. A download ends
// with its page. Files larger than maxDownload, more than maxDownloads files and more
// than allDownloads bytes of one context are refused. Without a folder for captures,
// every download is refused.

// goesOn is what an answer says of a download that is not complete.
func (d *download) goesOn() string {
	size := text.Count(int(d.received), "byte")
	if d.total > 0 {
		size = fmt.Sprintf("%.0f of %.0f bytes", d.received, d.total)
	}
	return "the download of " + text.Quoted(d.name) + " goes on: " + size + " so far; a later answer says where the file is"
}

// over ends the wait for a download.
func (d *download) over() {
	d.tab.update(func() { d.tab.saves = slices.DeleteFunc(d.tab.saves, func(s *download) bool { return s == d }) })
}

// downloadsTo is how the browser treats the downloads of a context.
func (p *browserContext) downloadsTo() (cdpbrowser.SetDownloadBehaviorParams, error) {
	out := cdpbrowser.SetDownloadBehaviorParams{Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: p.id}
	if p.browser.options.CaptureDir == "" {
		return out, nil
	}
	f := p.engine.process.folder
	dir, err := os.MkdirTemp(f.profile, "down")
	if err != nil {
		return out, err
	}
	// It is opened before the browser can put something else in its place.
	if p.downloads, err = os.OpenRoot(dir); err == nil && f.uid != ownUID {
		err = os.Lchown(dir, f.uid, f.uid)
	}
	out.Behavior, out.DownloadPath, out.EventsEnabled = cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, dir, new(true)
	return out, err
}

// downloadBegins notes a download. It is called by the reading goroutine.
func (e *engine) downloadBegins(ev cdpbrowser.EventDownloadWillBegin) {
	d := &download{tab: e.saver(ev.FrameID), guid: ev.GUID, name: line(ev.SuggestedFilename, 200)}
	e.mu.Lock()
	defer e.mu.Unlock()
	if d.tab != nil {
		d.home = d.tab.home
	}
	switch {
	case d.home == nil, d.home.private:
		e.refuseDownload(d, "nobody asked for it")
		return
	case d.home.saved >= maxDownloads:
		e.refuseDownload(d, fmt.Sprintf("%d files of one context are the most", maxDownloads))
		return
	case d.home.savedBytes >= allDownloads:
		e.refuseDownload(d, fmt.Sprintf("%d MiB of one context are the most", allDownloads>>20))
		return
	}
	d.home.saved++
	e.downloads[d.guid] = d
	d.tab.update(func() { d.tab.saves = append(d.tab.saves, d) })
	d.stall = time.AfterFunc(stallTime, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.downloads[d.guid] == d {
			e.refuseDownload(d, "nothing more came for "+stallTime.String())
		}
	})
}

// saver is the tab that a download of a frame belongs to. A window that a page has opened for
// a download alone stays empty: it is closed, and the download is that of the page.
func (e *engine) saver(frame cdp.FrameID) *tab {
	t := e.holder(frame)
	if t == nil || !t.opened || t.opener == nil || t.opener.isGone() {
		return t
	}
	t.mu.Lock()
	empty := t.blank()
	t.mu.Unlock()
	if !empty {
		return t
	}
	t.opener.update(func() {
		t.opener.notices = slices.DeleteFunc(t.opener.notices, func(s string) bool { return s == t.openedNotice() })
	})
	e.background(func(ctx context.Context) { e.closePage(ctx, t) })
	return t.opener
}

// holder is the tab of a frame, nil if it is not known.
func (e *engine) holder(frame cdp.FrameID) *tab {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t := e.pages[target.ID(frame)]; t != nil {
		return t
	}
	for _, t := range e.pages {
		t.mu.Lock()
		_, own := t.frames[target.SessionID(frame)]
		own = own || t.kids[frame]
		t.mu.Unlock()
		if own {
			return t
		}
	}
	return nil
}

// refuseDownload ends a download. e.mu is held.
func (e *engine) refuseDownload(d *download, why string) {
	homes := slices.Collect(maps.Keys(e.homes))
	if d.home != nil {
		homes = []cdp.BrowserContextID{d.home.id}
	}
	if d.tab != nil {
		d.tab.update(func() { d.tab.note("the download of " + text.Quoted(d.name) + " was refused: " + why) })
	}
	e.downloadEnds(d)
	e.background(func(ctx context.Context) {
		for _, id := range homes {
			_ = do(ctx, e.root, cdpbrowser.CancelDownload, cdpbrowser.CancelDownloadParams{GUID: d.guid, BrowserContextID: id})
		}
		d.forgetFile()
	})
}

// downloadEnds forgets a download: its progress is not heard. e.mu is held.
func (e *engine) downloadEnds(d *download) {
	delete(e.downloads, d.guid)
	if d.stall != nil {
		d.stall.Stop()
		d.over()
	}
}

// endDownloads ends what a tab has begun to download, when its page is left.
func (e *engine) endDownloads(t *tab) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, d := range e.downloads {
		if d.tab == t {
			e.refuseDownload(d, "its page was left before it was complete")
		}
	}
}

// forgetFile removes what a download has written.
func (d *download) forgetFile() {
	if d.home != nil && d.home.downloads != nil {
		_ = d.home.downloads.Remove(d.guid)
	}
}

// downloadGoesOn follows a download. It is called by the reading goroutine.
func (e *engine) downloadGoesOn(ev cdpbrowser.EventDownloadProgress) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.downloads[ev.GUID]
	if d == nil {
		return
	}
	if ev.ReceivedBytes > d.received {
		d.stall.Reset(stallTime)
	}
	d.tab.update(func() { d.received, d.total = ev.ReceivedBytes, ev.TotalBytes })
	switch {
	case ev.State == cdpbrowser.DownloadProgressStateCanceled:
		d.tab.update(func() { d.tab.note("the download of " + text.Quoted(d.name) + " was broken off") })
		e.downloadEnds(d)
		e.background(func(context.Context) { d.forgetFile() })
	case ev.ReceivedBytes > maxDownload || ev.TotalBytes > maxDownload:
		e.refuseDownload(d, fmt.Sprintf("it is larger than %d MiB", maxDownload>>20))
	case ev.State == cdpbrowser.DownloadProgressStateCompleted:
		d.home.savedBytes += int64(ev.ReceivedBytes)
		delete(e.downloads, d.guid)
		d.stall.Stop()
		if !e.background(func(context.Context) {
			says := d.home.keepDownload(d.guid, d.name)
			d.tab.update(func() { d.tab.note(says) })
			d.over()
		}) {
			d.over()
		}
	}
}

// keepDownload moves a file to the captures, and says what it is.
func (p *browserContext) keepDownload(guid, name string) string {
	failed := func(err error) string {
		return "the download of " + text.Quoted(name) + " cannot be kept: " + text.Cause(err)
	}
	defer func() { _ = p.downloads.Remove(guid) }()
	info, err := p.downloads.Lstat(guid)
	if err != nil || !info.Mode().IsRegular() {
		return failed(errors.Join(err, errors.New("it is not a file")))
	}
	in, err := p.downloads.Open(guid)
	if err != nil {
		return failed(err)
	}
	defer in.Close()
	if opened, err := in.Stat(); err != nil || !os.SameFile(opened, info) || opened.Size() > maxDownload {
		return failed(errors.New("it has changed"))
	}
	head := make([]byte, 512)
	n, _ := io.ReadFull(in, head)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return failed(err)
	}
	dir := p.browser.options.CaptureDir
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return failed(err)
	}
	sweepCaptures(dir, cmp.Or(p.browser.options.CaptureKeep, captureAge))
	to := filepath.Join(dir, captureName(p.mark, extension(name)))
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return failed(err)
	}
	size, err := io.Copy(out, io.LimitReader(in, maxDownload))
	if err = errors.Join(err, out.Close()); err != nil {
		return failed(errors.Join(err, os.Remove(to)))
	}
	kind, _, _ := strings.Cut(http.DetectContentType(head[:n]), ";")
	return fmt.Sprintf("the page downloaded %s (%s, %s), which is in %s", text.Quoted(name), text.Count(int(size), "byte"), text.Name(kind), text.Path(to))
}

// extension returns the extension of a name that a page has chosen, if it looks
// ordinary.
func extension(name string) string {
	e := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if e == "" || len(e) > 8 || strings.Trim(e, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return "bin"
	}
	return e
}

// saving reports whether the tab has a download that no answer has told of. t.mu is held.
func (t *tab) saving() bool {
	return slices.ContainsFunc(t.saves, func(d *download) bool { return !d.told })
}

// downloaded waits for the downloads that a tab has begun, once for each.
func (t *tab) downloaded(ctx context.Context) error {
	late, err := t.awaitFor(ctx, downloadWait, func() bool { return !t.saving() || t.dialog != nil })
	if late {
		t.update(func() {
			for _, d := range t.saves {
				if !d.told {
					d.told = true
					t.note(d.goesOn())
				}
			}
		})
	}
	return err
}

// captureName is a new name for a file of the captures, with the mark of its owner.
func captureName(mark, ending string) string {
	return time.Now().UTC().Format("20060102-150405") + "-" + random(20) + "-" + mark + "." + ending
}

func sweepCaptures(dir string, keep time.Duration) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > keep {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
