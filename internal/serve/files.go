package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// The files that tools have made, as pictures and PDFs of pages, for a day.
// Who may ask is whoever knows a name: names are drawn by chance and stand in
// the answers of calls alone, nothing lists them.

const (
	filesPath = "/v1/files/"
	// fileAge is how long a file is there; who writes them removes them then.
	fileAge = 24 * time.Hour
	// maxFileName bounds a name.
	maxFileName = 100
)

// withFile adds where a result's file can be had to an answer, a JSON object.
func (s *Server) withFile(body []byte, file string) []byte {
	if file == "" || s.o.Files == "" || filepath.Dir(file) != filepath.Clean(s.o.Files) {
		return body
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil || object == nil {
		return body
	}
	object["file_url"] = json.RawMessage(strconv.Quote(filesPath + filepath.Base(file)))
	with, err := encode(object)
	if err != nil {
		return body
	}
	return bytes.TrimSuffix(with, []byte("\n"))
}

// file answers with a file.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	f, info, err := s.openFile(id)
	if err != nil {
		refuse(w, http.StatusNotFound, tool.NewError(tool.InvalidInput, "there is no file "+quoted(id), "files are kept for a day; make it again"))
		return
	}
	defer f.Close()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(fileTimeout))
	h := w.Header()
	h.Set("Content-Type", mediaTypeOf(id))
	h.Set("Content-Disposition", `attachment; filename="`+id+`"`)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if r.Method != http.MethodHead {
		_, _ = io.CopyN(w, f, info.Size()) // a client that went away
	}
}

// fileTimeout is how long a client may take to read a file.
const fileTimeout = 2 * time.Minute

// openFile opens a file of the folder, whose names are all of one form, without
// separators. What is a link is not opened, nor what becomes one meanwhile.
func (s *Server) openFile(id string) (*os.File, fs.FileInfo, error) {
	if s.o.Files == "" || len(id) > maxFileName || mediaTypeOf(id) == "" ||
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || strings.HasPrefix(id, ".") {
		return nil, nil, fs.ErrNotExist
	}
	file := filepath.Join(s.o.Files, id)
	info, err := os.Lstat(file)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || time.Since(info.ModTime()) > fileAge {
		return nil, nil, fs.ErrNotExist
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(opened, info) {
		return nil, nil, errors.Join(fs.ErrNotExist, f.Close())
	}
	return f, info, nil
}

// mediaTypeOf is the type of what tools write, by the ending of its name; empty
// for all else, which is not served.
func mediaTypeOf(id string) string {
	switch path.Ext(id) {
	case ".png":
		return "image/png"
	case ".jpg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".pdf":
		return "application/pdf"
	}
	return ""
}
