package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/worker"
)

const service = "ocr-test"

func TestMain(m *testing.M) {
	worker.Serve(service, func(b []byte) []byte { return b })
	os.Exit(m.Run())
}

// TestTesseract recognizes a picture with the program that is installed.
func TestTesseract(t *testing.T) {
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("no tesseract: apt-get install tesseract-ocr")
	}
	picture, err := os.ReadFile("testdata/harbour.png")
	if err != nil {
		t.Fatal(err)
	}
	pool := worker.New(worker.Options{Service: service})
	defer pool.Close()
	r := New(pool.Run)
	got, err := r.Text(t.Context(), picture, "en-GB")
	if want := "The harbour opens at six in the morning, and tickets cost 12 euros for adults."; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := r.Text(t.Context(), []byte("no picture"), ""); err == nil {
		t.Errorf("what is no picture gives %q", got)
	}
}

// double answers in place of the program.
type double struct {
	commands []worker.Command
	out      string
	err      error
}

func (d *double) run(_ context.Context, c worker.Command) ([]byte, error) {
	d.commands = append(d.commands, c)
	if c.Args[0] == "--list-langs" {
		return []byte("List of available languages in \"/usr/share/\" (5):\nchi_sim\ndeu\neng\nfra\nosd\nscript/Latin\n"), nil
	}
	return []byte(d.out), d.err
}

func pictureOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArguments(t *testing.T) {
	for tag, want := range map[string]string{
		"": "eng+chi_sim+deu", "de-AT": "deu+eng", "en": "eng", "zh-CN": "chi_sim+eng", "zh-Hant": "eng+chi_sim+deu", "sw": "eng+chi_sim+deu",
		"no tag": "eng+chi_sim+deu", "--x": "eng+chi_sim+deu",
	} {
		d := &double{}
		picture := pictureOf(t, 100, 100)
		r := New(d.run)
		for range 2 {
			if _, err := r.Text(t.Context(), picture, tag); err != nil {
				t.Fatal(err)
			}
		}
		if len(d.commands) != 3 {
			t.Errorf("%d commands: the languages are listed once", len(d.commands))
		}
		c := d.commands[1]
		if args := []string{"stdin", "stdout", "-l", want, "-c", "tessedit_create_tsv=1", "--psm", "1"}; c.Name != "tesseract" || !slices.Equal(c.Args, args) || !bytes.Equal(c.Input, picture) {
			t.Errorf("%s: %s %q", tag, c.Name, c.Args)
		}
	}
}

func TestParagraphs(t *testing.T) {
	row := func(block, line, confidence int, word string) string {
		return fmt.Sprintf("5\t1\t%d\t1\t%d\t1\t0\t0\t10\t10\t%d.5\t%s\n", block, line, confidence, word)
	}
	for in, want := range map[string]string{
		"level\tpage_num\n" + "4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t\n" + row(1, 1, 90, "The") + row(1, 1, 90, "har-") + row(1, 2, 90, "bour.") + row(2, 1, 90, "Six."): "The harbour.|Six.",
		row(1, 1, 90, "港") + row(1, 1, 90, "口"):                    "港口",
		row(1, 1, 10, "xj,") + row(2, 1, 90, "— |"):                "", // of a photograph
		"5\t1\n\x00\xff garbage \t\t\t\n5\t\t\t\t\t\t\t\t\t\tx\ty": "",
		row(1, 1, 90, "a\u202eb\x1b[31m"):                          "ab[31m",
	} {
		d := &double{out: in}
		got, err := New(d.run).Text(t.Context(), pictureOf(t, 100, 100), "")
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q gives %q, %v", in, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	d := &double{err: &worker.Error{Code: worker.Unavailable, Cause: worker.ErrNotInstalled}}
	if _, err := New(d.run).Text(t.Context(), pictureOf(t, 100, 100), ""); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	d = &double{err: context.DeadlineExceeded}
	if _, err := New(d.run).Text(t.Context(), pictureOf(t, 100, 100), ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	d = &double{}
	if got, err := New(d.run).Text(t.Context(), pictureOf(t, 12, 12), ""); err != nil || got != nil || len(d.commands) > 0 {
		t.Error(got, err, "an icon")
	}
	if _, err := New(d.run).Text(t.Context(), pictureOf(t, 41_000, 1000), ""); err == nil || len(d.commands) > 0 {
		t.Error("a picture beyond the bound is read")
	}
}
