package browser

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// A Helper lets a browser run in a network namespace that has nothing but the
// proxies of its contexts. Their sockets have to be made inside: this program is
// started again there, makes them, and then becomes the browser. This adds no process
// and no relay: this process serves the sockets.
//
// The zero value means that only flags direct the traffic.
type Helper struct {
	here    bool
	program string // that is started in the namespace
}

// errFlagsAlone is the reason of a browser without a namespace.
var errFlagsAlone = errors.New("no network namespace")

// NewHelper is the first thing that main does in a program which wants a Helper.
// In the process that becomes the browser it does not return. It is the zero
// value on systems without network namespaces.
func NewHelper() Helper {
	if len(os.Args) >= 2 && os.Args[1] == helperWord {
		fmt.Fprintln(os.Stderr, text.Cause(becomeBrowser(os.Args[2:])))
		os.Exit(1)
	}
	// This path stays valid if the program's file is replaced.
	return Helper{here: namespaces, program: "/proc/self/exe"}
}

// Probe reports why browsers of this program run without a namespace, nil when
// they run in one. It takes some ten milliseconds.
func (h Helper) Probe() error {
	if !h.here {
		return fmt.Errorf("%w: this program or this system has none", errFlagsAlone)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	output := &tail{max: outputKept}
	cmd := exec.Command("")
	cmd.ExtraFiles = []*os.File{null, null}
	cmd.Stderr, cmd.WaitDelay = output, time.Second
	w, err := h.wrap(cmd, ownUID)
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		w.close()
		return fmt.Errorf("%w: %w", errFlagsAlone, err)
	}
	d, err := w.listeners()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err != nil {
		return aloneBecause(output, err)
	}
	d.Close()
	return nil
}

// aloneBecause returns why the process inside has sent no sockets.
func aloneBecause(output *tail, err error) error {
	return fmt.Errorf("%w: %s", errFlagsAlone, cmp.Or(output.lastLine(), err.Error()))
}

// way is where the sockets of a namespace come from.
type way struct{ near, far *os.File }

// wrap makes a command into one that runs in a namespace, under a user id.
func (h Helper) wrap(cmd *exec.Cmd, uid int) (*way, error) {
	near, far, err := egress.SocketPair()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFlagsAlone, err)
	}
	attributes, inside := namespaceAttributes(uid)
	cmd.Args = append([]string{os.Args[0], helperWord, strconv.Itoa(inside), cmd.Path}, cmd.Args[1:]...)
	cmd.Path, cmd.Err = h.program, nil
	cmd.ExtraFiles = append(cmd.ExtraFiles, far)
	cmd.SysProcAttr = attributes
	return &way{near, far}, nil
}

// listeners waits for the sockets, and closes the way. The command runs.
func (w *way) listeners() (*egress.NamespaceListeners, error) {
	_ = w.far.Close() // so that the end of that process ends the connection
	defer w.near.Close()
	return egress.ReceiveListeners(w.near, doorLimit)
}

func (w *way) close() { _, _ = w.near.Close(), w.far.Close() }

// displayIsFar reports whether windows are shown by a server that a namespace
// keeps out of reach: one that is not on a socket file.
func displayIsFar(env func(string) string) bool {
	return env("WAYLAND_DISPLAY") == "" && !strings.HasPrefix(env("DISPLAY"), ":")
}
