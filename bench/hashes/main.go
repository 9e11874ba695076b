// Command hashes checks that a change of the code does not change the program's
// outputs. It runs the built program on the WCXB corpus, and prints its help,
// catalog and man page. It compares short hashes of all outputs with a committed
// file:
//
//	go run ./hashes --data ../../shared/bench/wcxb --spyhop ../bin/spyhop --golden ../testdata/hashes.txt
//	go run ./hashes ... --update   # writes the file
//
// The file has one line for each page, with a hash for each format of
// "extract --batch" in the order of formats, and one line for each of: the help
// of a command, a form of the catalog of tools, the man page, the OpenAPI
// document, and, where a browser is installed, a snapshot of a saved page.
//
// It prints the lines that differ and how many pages differ in each format, and
// its exit status is then 1.
//
// # Limits
//
// A hash says that an output changed, not how: to see the difference, run the old
// and the new program on the page that the line names. The hashed text does not
// include times; the program's version and loopback addresses are replaced by a
// fixed word. A saved page whose snapshot differs between two runs is recorded as
// unstable and is not compared.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

func main() {
	var r recorder
	flag.StringVar(&r.program, "spyhop", "", "path of the program")
	flag.StringVar(&r.data, "data", "", "folder of the WCXB corpus")
	golden := flag.String("golden", "", "file with the committed hashes")
	update := flag.Bool("update", false, "write the file instead of comparing with it")
	snapshots := flag.Bool("snapshots", true, "take snapshots if a browser is installed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r.ctx = ctx
	if err := r.run(*golden, *update, *snapshots); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "hashes:", err)
		os.Exit(1)
	}
}

// recorder runs the program and collects lines.
type recorder struct {
	ctx           context.Context
	program, data string
	home          string // an empty folder: no settings of this machine apply
	version       string // what the program says of itself, which is not compared
	lines         []line
}

// line is one line of the file: the subject, and the hashes of its outputs.
type line struct {
	subject string // two words, for example "page 0001"
	hashes  []string
}

func (r *recorder) run(golden string, update, snapshots bool) error {
	home, err := os.MkdirTemp("", "spyhop-hashes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	r.home = home
	steps := []func() error{r.pages, r.faces, r.openapi}
	if snapshots {
		steps = append(steps, r.snapshots)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	if update {
		return write(golden, r.lines)
	}
	return compare(golden, r.lines)
}

// add appends a line. Each output is hashed by itself.
func (r *recorder) add(subject string, outputs ...string) {
	l := line{subject: subject}
	for _, out := range outputs {
		l.hashes = append(l.hashes, hash(out))
	}
	r.lines = append(r.lines, l)
}

// hash returns the first eight hexadecimal digits of SHA-256.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// command prepares a run of the program with the default settings.
func (r *recorder) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.ctx, r.program, args...)
	cmd.Dir = r.home
	cmd.Env = []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "WEB_DATA_DIR=" + r.home, "WEB_AUDIT_LOG=off"}
	return cmd
}

// output runs the program and returns what it writes to stdout, with its
// version and its folder replaced.
func (r *recorder) output(args ...string) (string, error) {
	cmd := r.command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("spyhop %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	text := strings.ReplaceAll(string(out), r.home, "HOME")
	if r.version != "" {
		text = strings.ReplaceAll(text, r.version, "VERSION")
	}
	return text, nil
}
