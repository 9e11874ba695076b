package snapshot

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// openInFrame says that a document is shown in a frame of its size.
func (d *doc) openInFrame() {
	if _, _, w, h, ok := d.box(0); ok {
		d.openIn(Viewport{Width: w, Height: h})
	}
}

// frames are the documents of a page; each is written once.
type frames struct {
	all     map[string]*process
	main    *doc
	others  map[Node]string // see Input.Frames
	written map[*doc]bool
	shown   []string // ids of the frames whose documents are in the markup
}

// newFrames indexes the documents of a page; its own is nil where it was not read.
func newFrames(in Input) (*frames, *doc) {
	f := &frames{make(map[string]*process, len(in.Processes)), nil, in.Frames, make(map[*doc]bool), nil}
	for i := range in.Processes {
		p := newProcess(&in.Processes[i])
		if f.all[p.src.Name] == nil {
			f.all[p.src.Name] = p
		}
	}
	if len(in.Processes) > 0 && len(f.all[in.Processes[0].Name].docs) > 0 {
		f.main = f.all[in.Processes[0].Name].docs[0]
		f.written[f.main] = true
	}
	return f, f.main
}

// in returns the document in a frame; nil where none was read, or it is written elsewhere.
func (f *frames) in(d *doc, frame int) *doc {
	var inner *doc
	if k, ok := d.content[frame]; ok {
		if k > 0 && k < len(d.process.docs) {
			inner = d.process.docs[k]
		}
	} else if name, ok := f.others[d.node(frame)]; ok {
		if p := f.all[name]; p != nil && len(p.docs) > 0 {
			inner = p.docs[0]
		}
	}
	if inner == nil || f.written[inner] || len(f.written) >= maxDocuments || len(inner.first) == 0 {
		return nil
	}
	f.written[inner] = true
	return inner
}

// isFrame reports whether an element shows a document in its box.
func (d *doc) isFrame(i int) bool {
	switch d.tag(i) {
	case "iframe", "frame":
		return true
	case "object", "embed":
		return d.content[i] > 0
	}
	return false
}

// frame writes a frame with its document in it, and reports whether it did: what nobody sees
// of the page, its frames among that, is not read.
func (w *markupWriter) frame(i int, tag string, depth int) bool {
	if !w.d.isFrame(i) || depth > maxDepth || !w.d.seen(i, w.views[i]) {
		return false
	}
	inner := w.frames.in(w.d, i)
	if inner == nil {
		return false
	}
	page, _ := weburl.Parse(w.frames.main.str(w.frames.main.src.BaseURL))
	base, _ := weburl.Parse(inner.str(inner.src.BaseURL))
	if w.d.isAdvert(i, page, base) || inner.saysOnly(Refusal) {
		return false
	}
	inner.openInFrame()
	sub := newMarkupWriter(inner, w.frames, w.most-w.out.Len())
	sub.base = &base
	sub.children(0, depth+1)
	w.frames.shown = append(w.frames.shown, inner.str(inner.src.FrameID))
	w.open(i, tag, "div")
	w.out.WriteString(`<template shadowrootmode="closed">` + sub.out.String() + "</template></div>")
	return true
}

// Refusal is the document of an address that may not be reached, or was not: the proxy wrote it.
const Refusal = "This address has failed"

// saysOnly reports whether a text is all that a document says.
func (d *doc) saysOnly(s string) bool {
	said := 0
	for i := range d.first {
		if d.kind(i) != textNode {
			continue
		}
		switch strings.TrimSpace(d.str(d.src.Nodes.Value[i])) {
		case "":
		case s:
			said++
		default:
			return false
		}
	}
	return said == 1
}

// framed writes an element of a document in a frame that means something else there, or
// nothing, and reports whether it did.
func (w *markupWriter) framed(i int, tag string, depth int) bool {
	switch tag {
	case "html", "head", "body":
		w.children(i, depth)
	case "base", "link", "meta", "noscript", "script", "template", "title":
	default:
		return false
	}
	return true
}

// inFrame is the value of an attribute in a document in a frame. What it says of itself for
// programs is not said of the page around, and its addresses are not relative to that.
func (w *markupWriter) inFrame(name, value string) (string, bool) {
	switch name {
	case "href", "src", "cite", "poster":
		if u, err := w.base.Resolve(value); err == nil {
			return u.String(), true
		}
		return "", false
	case "class", "id", "role", "style", "title", "alt", "lang", "dir", "type", "value", "placeholder", "label", "for", "name", "hidden", "slot", "media",
		"checked", "selected", "disabled", "multiple", "size", "open", "start", "reversed", "datetime", "width", "height", "colspan", "rowspan", "headers", "scope":
		return value, true
	}
	return value, strings.HasPrefix(name, "aria-")
}
