package document

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// The bounds of a zip file. What its directory says about sizes is not
// believed.
const (
	maxEntries  = 20_000
	maxPart     = 48 << 20 // bytes that one entry unpacks to
	maxUnpacked = 96 << 20 // of all that are read
	maxListed   = 1000
)

// archive is a zip file whose parts are read by name.
type archive struct {
	files map[string]*zip.File
	left  int64
}

func openArchive(body []byte) (*archive, *zip.Reader, error) {
	// A bad directory is told only by reading it; the library bounds what it
	// makes by the size of the file.
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, nil, err
	}
	if len(r.File) > maxEntries {
		return nil, nil, &Error{Code: TooLarge, Cause: fmt.Errorf("it has %d entries", len(r.File))}
	}
	a := &archive{files: make(map[string]*zip.File, len(r.File)), left: maxUnpacked}
	for _, f := range r.File {
		a.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	return a, r, nil
}

// part reads one entry; nil where there is none.
func (a *archive) part(name string) ([]byte, error) {
	f := a.files[strings.TrimPrefix(path.Clean(name), "/")]
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	limit := min(a.left, maxPart)
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(b)) > limit {
		return nil, &Error{Code: TooLarge, Cause: fmt.Errorf("%s unpacks to more than %d bytes", text.Line(name), limit)}
	}
	a.left -= int64(len(b))
	return b, err
}

// tree reads one entry as XML; nil where there is none.
func (a *archive) tree(name string) (*node, error) {
	b, err := a.part(name)
	if err != nil || b == nil {
		return nil, err
	}
	return parseXML(b)
}

// relations are the targets of an Office Open XML part by their ids.
func (a *archive) relations(name string) map[string]string {
	dir, file := path.Split(name)
	t, err := a.tree(dir + "_rels/" + file + ".rels")
	if err != nil || t == nil {
		return nil
	}
	out := map[string]string{}
	for _, r := range t.find("Relationship") {
		target := r.attr("Target")
		if r.attr("TargetMode") != "External" && !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		out[r.attr("Id")] = strings.TrimPrefix(target, "/")
	}
	return out
}

// readListing lists what a zip file holds.
func readListing(b *builder, body []byte) error {
	_, r, err := openArchive(body)
	if err != nil {
		return err
	}
	rows := [][]string{{"Name", "Bytes", "Modified"}}
	total := uint64(0)
	for i, f := range r.File {
		total += f.UncompressedSize64
		if i >= maxListed {
			b.cut = true
			continue
		}
		size := fmt.Sprint(f.UncompressedSize64)
		if strings.HasSuffix(f.Name, "/") {
			size = ""
		}
		day := ""
		if y := f.Modified.Year(); y > 1980 && y < 2200 {
			day = f.Modified.Format("2006-01-02")
		}
		rows = append(rows, []string{f.Name, size, day})
	}
	b.Type = "other"
	b.paragraph(fmt.Sprintf("Zip file with %d entries, %d bytes unpacked.", len(r.File), total))
	if len(rows) > 1 {
		b.table(rows)
	}
	return nil
}
