package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const sumsName = "SHA256SUMS"

// archive writes the program and the shared files as tar.gz, for Windows as zip.
func (r *release) archive(t target, program string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	name := "spyhop_" + r.version + "_" + t.String()
	var files []file
	for _, f := range append(slices.Clone(r.shared), file{t.program(), 0o755, data}) {
		f.name = name + "/" + f.name
		files = append(files, f)
	}
	if t.os == "windows" {
		packed, err := zipped(files, r.time)
		if err != nil {
			return err
		}
		return r.write(name+".zip", packed)
	}
	packed, err := tarred(files, r.time)
	if err != nil {
		return err
	}
	return r.write(name+".tar.gz", packed)
}

// write writes a file of the release.
func (r *release) write(name string, data []byte) error {
	path := filepath.Join(r.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// sorted orders files by name, so that an archive does not depend on the order in
// which they were made.
func sorted(files []file) []file {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

func tarred(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range sorted(files) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range sorted(files) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// checksums writes SHA256SUMS, in the form that sha256sum -c reads. The folders for
// npm pack are not in it: npm records the hash of what it packs.
func (r *release) checksums() error {
	var lines strings.Builder
	err := filepath.WalkDir(r.out, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "npm" {
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() == sumsName {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(r.out, path)
		fmt.Fprintf(&lines, "%s  %s\n", hash(data), filepath.ToSlash(name))
		return err
	})
	if err != nil {
		return err
	}
	return r.write(sumsName, []byte(lines.String()))
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
