package browser

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Upload gives files to a field, to the field that a button opens, or drops
// them where the page takes them; without a ref, to the field that the page asked
// for last. They have to be inside of Options.UploadDir.
func (b *Browser) Upload(ctx context.Context, at Place, ref string, paths []string) (*Changes, error) {
	files, err := b.uploads(paths)
	if err != nil {
		return nil, err
	}
	return b.act(ctx, at, func(ctx context.Context, p *browserContext, t *tab) error {
		files, err := p.engine.lend(files)
		if err != nil {
			return err
		}
		if ref == "" {
			return t.fillChooser(ctx, files)
		}
		e, err := t.element(ctx, ref)
		if err != nil {
			return err
		}
		field, release, err := e.object(ctx, script("files"))
		if err != nil {
			return err
		}
		defer release()
		if field != "" {
			return do(ctx, e.session, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, ObjectID: field})
		}
		if hears := e.hears(ctx); slices.Contains(hears, "drop") && !slices.Contains(hears, "click") {
			return e.drop(ctx, files)
		}
		node, err := t.chooser(ctx, e)
		if err != nil {
			return err
		}
		t.takeNotices()
		return do(ctx, e.session, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, BackendNodeID: node})
	})
}

// fillChooser gives files to the field that the page asked for last.
func (t *tab) fillChooser(ctx context.Context, files []string) error {
	t.mu.Lock()
	node := t.asksFiles
	t.asksFiles = 0
	t.mu.Unlock()
	if node == 0 {
		return tool.NewError(tool.InvalidInput, "the page asks for no files", "click what opens its field for files first, or give the ref of the field")
	}
	return do(ctx, t.main, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, BackendNodeID: node})
}

// chooser clicks what opens a field for files, and returns the field.
func (t *tab) chooser(ctx context.Context, e *element) (cdp.BackendNodeID, error) {
	opened, stop := overheard[page.EventFileChooserOpened](t, page.FileChooserOpened.Method)
	defer stop()
	if err := e.click(ctx, Pointer{}); err != nil {
		return 0, err
	}
	wait, cancel := within(ctx, 2*time.Second)
	defer cancel()
	select {
	case ev := <-opened:
		return ev.BackendNodeID, nil
	case <-wait.Done():
	}
	select {
	case ev := <-opened: // it came before the wait ended
		return ev.BackendNodeID, nil
	default:
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, tool.NewError(tool.InvalidInput, text.Name(e.ref)+" does not ask for files", "use the ref of a field for files (f…), or of the button that opens one")
	}
}

// uploads checks that files are inside of the folder for uploads, links
// followed.
func (b *Browser) uploads(paths []string) ([]string, error) {
	if b.options.UploadDir == "" {
		return nil, tool.NewError(tool.Blocked, "uploads are refused: no folder is set to upload from", "the operator can set WEB_UPLOAD_DIR")
	}
	root, err := filepath.EvalSymlinks(b.options.UploadDir)
	if err != nil {
		return nil, tool.NewError(tool.Blocked, "uploads are refused: the folder to upload from cannot be read", "")
	}
	var out []string
	for _, p := range paths {
		full := p
		if !filepath.IsAbs(p) {
			full = filepath.Join(root, p)
		}
		real, err := filepath.EvalSymlinks(full)
		rel := ""
		if err == nil {
			rel, err = filepath.Rel(root, real)
		}
		info, statErr := os.Stat(real)
		if err != nil || !filepath.IsLocal(rel) || statErr != nil || !info.Mode().IsRegular() {
			// The same answer for every cause, so that a model learns nothing of other folders.
			return nil, tool.NewError(tool.Blocked, "there is no file "+text.Quoted(p)+" in the folder to upload from", "give a name relative to that folder")
		}
		out = append(out, real)
	}
	return out, nil
}

// lend returns the names by which the browser can read files of this user.
func (e *engine) lend(files []string) ([]string, error) {
	if e.isTheirs() {
		return files, nil
	}
	return e.process.folder.lend(files)
}
