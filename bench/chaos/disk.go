package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// fullDisk gives the server a small file system of its own, in a new folder.
func fullDisk(w *world) (string, bool, error) {
	dir := w.folder()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=8m,mode=0700"); err != nil {
		return "", false, fmt.Errorf("no small file system can be mounted: %w", err)
	}
	defer func() { _ = syscall.Unmount(dir, 0) }()
	s, err := w.serve(dir, nil, nil)
	if err != nil {
		return "", false, err
	}
	defer s.stop()
	bad, calls := 0, 0
	call := func(name string, n int) {
		for i := range n {
			calls++
			if status, _, err := s.fetch(context.Background(), "", fmt.Sprint(w.fast, "/", name, i), ""); err != nil || status != 200 {
				bad++
			}
		}
	}
	call("before", 20)
	filler := filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	if err != nil {
		return "", false, err
	}
	for block := make([]byte, 512); ; {
		if _, err := f.Write(block); err != nil {
			break
		}
	}
	_ = f.Close()
	call("full", 100)
	lost := s.metric(`spyhop_audit_lost_total{sink="file"}`)
	_ = os.Remove(filler)
	back := s.back("").Round(100 * time.Millisecond)
	lines, broken, err := auditLines(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%d calls, %d failed; %d audit lines, %d broken, %.0f counted as lost; stored again after %v", calls, bad, lines, broken, lost, back),
		bad == 0 && broken == 0 && lost > 0 && back <= 5*time.Second, nil
}

// frozenDisk freezes the file system of the data folder, like the snapshot of a volume.
func frozenDisk(w *world) (string, bool, error) {
	dir, image := w.folder(), filepath.Join(w.folder(), "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		return "", false, err
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		return "", false, err
	}
	for _, command := range [][]string{{"mkfs.ext4", "-q", image}, {"mount", "-o", "loop", image, dir}} {
		if said, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			return "", false, fmt.Errorf("no file system can be made that freezes: %w: %.200s", err, said)
		}
	}
	defer func() { _ = exec.Command("umount", dir).Run() }()
	if err := os.Chmod(dir, 0o700); err != nil {
		return "", false, err
	}
	s, err := w.serve(dir, nil, nil)
	if err != nil {
		return "", false, err
	}
	defer s.stop()
	bad, calls, worst := 0, 0, time.Duration(0)
	call := func(name string, n int) {
		for i := range n {
			calls += 2
			begin := time.Now()
			ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
			for _, page := range []string{"/cached", fmt.Sprint("/", name, i)} {
				if status, _, err := s.fetch(ctx, "", w.fast+page, ""); err != nil || status != 200 {
					bad++
				}
			}
			stop()
			worst = max(worst, time.Since(begin))
			time.Sleep(100 * time.Millisecond)
		}
	}
	call("before", 5)
	if said, err := exec.Command("fsfreeze", "-f", dir).CombinedOutput(); err != nil {
		return "", false, fmt.Errorf("the disk cannot be frozen: %w: %.200s", err, said)
	}
	worst = 0
	call("frozen", max(int(100*w.scale), 40)) // for longer than until the store gives up
	during, trouble := worst, s.metric("spyhop_store_trouble")
	if said, err := exec.Command("fsfreeze", "-u", dir).CombinedOutput(); err != nil {
		return "", false, fmt.Errorf("the disk stays frozen: %w: %.200s", err, said)
	}
	back := s.back("").Round(time.Millisecond)
	lines, broken, err := auditLines(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%d calls, %d failed; slowest two while frozen %v; %d audit lines, %d broken, %.0f counted as lost; stored again after %v", calls, bad, during.Round(time.Millisecond), lines, broken, s.metric(`spyhop_audit_lost_total{sink="file"}`), back),
		bad == 0 && broken == 0 && trouble == 1 && back <= 5*time.Second, nil
}

// auditLines counts the lines of an audit log, and those that are not whole.
func auditLines(file string) (lines, broken int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		lines++
		if !json.Valid(in.Bytes()) {
			broken++
		}
	}
	return lines, broken, in.Err()
}

func oddStores(w *world) (string, bool, error) {
	var got []string
	ok := true
	for _, c := range []struct {
		name   string
		damage func(s *server) error
		nobody bool // keeps anything in it: it is not ours
	}{
		{"later version", func(s *server) error {
			db, err := database(s)
			if err != nil {
				return err
			}
			defer db.Close()
			_, err = db.Exec("PRAGMA user_version = 99")
			return err
		}, true},
		{"garbage", func(s *server) error {
			files, _ := filepath.Glob(filepath.Join(s.dir, "*"))
			for _, f := range files {
				if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() && !strings.HasSuffix(f, ".jsonl") {
					if err := os.WriteFile(f, []byte(strings.Repeat("garbage", 10_000)), 0o600); err != nil {
						return err
					}
				}
			}
			return nil
		}, false},
		{"folder removed while it runs", nil, false},
	} {
		s, err := w.serve("", nil, nil)
		if err != nil {
			return "", false, err
		}
		_, _ = w.rate(s, 200*time.Millisecond, "x")
		if c.damage == nil {
			// The server makes files in its folder at any moment; it makes none in a folder
			// of another name.
			if err = os.Rename(s.dir, s.dir+"-gone"); err == nil {
				err = os.RemoveAll(s.dir + "-gone")
			}
		} else {
			s.stop()
			if err = c.damage(s); err == nil {
				dir := s.dir
				s, err = w.serve(dir, nil, nil)
			}
		}
		if err != nil {
			if s != nil {
				s.stop()
			}
			return "", false, fmt.Errorf("%s: %w", c.name, err)
		}
		stores := "nothing is stored"
		if !c.nobody {
			took := s.back("")
			ok = ok && took <= 5*time.Second
			stores = fmt.Sprintf("stores after %v", took.Round(time.Millisecond))
		}
		_, bad := w.rate(s, w.long(3*time.Second), "y")
		ok = ok && bad == 0 && !s.gone()
		got = append(got, fmt.Sprintf("%s: %d failed, %s", c.name, bad, stores))
		s.stop()
	}
	return strings.Join(got, "; "), ok, nil
}
