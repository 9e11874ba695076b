package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/background"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The browser in the background is this program again, with the command "browser
// background". A connection carries one call and one answer, each a JSON value.

// backgroundCall is what a command asks for.
type backgroundCall struct {
	Name      string          `json:"-"`              // of the command, for people
	Tool      string          `json:"tool,omitempty"` // empty: the status
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// End ends the process after the call.
	End bool `json:"end,omitempty"`
	// Settings identifies the settings of the command.
	Settings string `json:"settings"`
}

// backgroundAnswer is what the process answers.
type backgroundAnswer struct {
	Text    string          `json:"text,omitempty"`
	Object  json.RawMessage `json:"object,omitempty"`
	Notices []string        `json:"notices,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"` // a tool.Error
	Status  *browserStatus  `json:"status,omitempty"`
}

// browserStatus describes the process.
type browserStatus struct {
	Open    bool      `json:"open"`
	PID     int       `json:"pid,omitempty"`
	Version string    `json:"version,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Calls   int       `json:"calls"`
	Idle    string    `json:"ends_after_idle,omitempty"`
}

const (
	mostCall   = tool.MaxArgumentBytes + 4<<10
	mostAnswer = 64 << 20
	// startLimit is how long the process may take until it listens; the browser
	// itself starts with the first call.
	startLimit = 15 * time.Second
)

const openHint = "run: spyhop browser open URL"

// folder is where the socket of this user is.
func (s *session) folder() (string, *config.Settings, error) {
	settings, err := s.settings()
	if err != nil {
		return "", nil, err
	}
	dir, err := background.Folder(settings.Values.DataDir, os.LookupEnv)
	if err != nil {
		return "", nil, tool.NewError(tool.InvalidInput, "no folder for the browser in the background: "+cause(err), "set WEB_DATA_DIR to a folder of your own")
	}
	return dir, settings, nil
}

// settingsHash identifies settings, without showing them.
func settingsHash(settings *config.Settings) string {
	h := sha256.New()
	for _, set := range settings.All {
		fmt.Fprintf(h, "%s=%s\n", set.Name, set.Shown())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// startBackground starts the process unless it runs.
func (s *session) startBackground(idle time.Duration) error {
	dir, _, err := s.folder()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, startLimit)
	defer cancel()
	if c, err := background.Dial(ctx, dir); err == nil {
		return c.Close()
	} else if !errors.Is(err, background.ErrNone) {
		return backgroundError(err)
	}
	if idle <= 0 {
		return tool.NewError(tool.InvalidInput, "--idle must be greater than 0", "leave it out for 15 minutes")
	}
	args := []string{"browser", "background", "--idle", idle.String()}
	if s.cli.Config != "" {
		args = append(args, "--config", s.cli.Config)
	}
	// A flag wins over the environment, also in the process that gets no flags.
	flags := s.flags.values()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		_, ok := flags[name]
		return ok
	})
	for name, value := range flags {
		env = append(env, name+"="+value)
	}
	if err := background.Start(ctx, dir, args, env); err != nil {
		return backgroundError(err)
	}
	return nil
}

// isClosed reports whether no browser is in the background.
func isClosed(err error) bool { return errors.Is(err, background.ErrNone) }

func backgroundError(err error) error {
	switch {
	case isClosed(err):
		e := tool.NewError(tool.BrowserError, "no browser is open", openHint)
		e.Cause = err
		return e
	case errors.Is(err, background.ErrUnsupported):
		return tool.NewError(tool.InvalidInput, background.ErrUnsupported.Error(), "use spyhop mcp, or several steps in one plan: spyhop plan run FILE")
	case errors.Is(err, context.DeadlineExceeded):
		return tool.NewError(tool.Timeout, fmt.Sprintf("the browser in the background did not answer within %s", startLimit), "spyhop browser status says whether it runs")
	case errors.Is(err, context.Canceled):
		return err
	}
	return tool.NewError(tool.BrowserError, "the browser in the background cannot be used: "+cause(err), "spyhop doctor says what this machine lacks")
}

// inBackground has the process make a call.
func (s *session) inBackground(call backgroundCall) (*backgroundAnswer, error) {
	dir, settings, err := s.folder()
	if err != nil {
		return nil, err
	}
	call.Settings = settingsHash(settings)
	s.screen.start("browser " + call.Name)
	defer s.screen.clear()
	c, err := background.Dial(s.ctx, dir)
	if err != nil {
		return nil, backgroundError(err)
	}
	defer c.Close()
	defer context.AfterFunc(s.ctx, func() { _ = c.Close() })()
	if err := json.NewEncoder(c).Encode(call); err != nil {
		return nil, backgroundError(err)
	}
	var a backgroundAnswer
	if err := json.NewDecoder(io.LimitReader(c, mostAnswer)).Decode(&a); err != nil {
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		return nil, tool.NewError(tool.BrowserError, "the browser in the background ended during the call", openHint)
	}
	if a.Error != nil {
		failure := new(tool.Error)
		if err := failure.UnmarshalJSON(a.Error); err != nil {
			return nil, err
		}
		return nil, failure
	}
	return &a, nil
}

// backgroundStatus prints whether a browser is open.
func (s *session) backgroundStatus() error {
	a, err := s.inBackground(backgroundCall{Name: "status"})
	status := browserStatus{}
	switch {
	case err == nil && a.Status != nil:
		status = *a.Status
	case isClosed(err):
	case err != nil:
		return err
	}
	if s.printed(status) {
		return nil
	}
	if !status.Open {
		s.sentence("no browser is open; " + openHint)
		return nil
	}
	s.sentence(fmt.Sprintf("open for %s, process %d, spyhop %s, %s; ends after %s without a command",
		since(status.Started), status.PID, status.Version, text.Count(status.Calls, "call"), status.Idle))
	return nil
}

// backgroundCmd is the process. Only this program starts it.
type backgroundCmd struct {
	Idle time.Duration `default:"15m" help:"Time without a command after which it ends."`
}

func (c *backgroundCmd) run(s *session) error {
	dir, settings, err := s.folder()
	if err != nil {
		return err
	}
	listener, err := background.Listen(dir)
	if err != nil {
		return backgroundError(err)
	}
	defer listener.Close()
	cfg, err := s.configuration()
	if err != nil {
		return err
	}
	cfg.OnProgress = nil
	client, err := s.clientOf(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, stop := signal.NotifyContext(s.ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	b := &backgroundProcess{client: client, settings: settingsHash(settings), idle: c.Idle, started: time.Now()}
	return b.serve(ctx, listener)
}

// backgroundProcess answers calls until it is idle for long enough.
type backgroundProcess struct {
	client   *spyhop.Client
	settings string
	idle     time.Duration
	started  time.Time

	running, calls atomic.Int32
}

func (b *backgroundProcess) serve(ctx context.Context, listener net.Listener) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(ctx, func() { _ = listener.Close() })()
	idle := time.AfterFunc(b.idle, func() {
		if b.running.Load() == 0 {
			end()
		}
	})
	defer idle.Stop()
	var answering sync.WaitGroup
	defer answering.Wait()
	for {
		c, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		answering.Go(func() {
			b.running.Add(1)
			defer func() {
				_ = c.Close()
				b.running.Add(-1)
				idle.Reset(b.idle)
			}()
			// The listener closes before the answer: a command that opens a browser right
			// after it starts another process.
			b.answer(ctx, c, func() { _ = listener.Close(); end() })
		})
	}
}

// answer makes the call of a connection, and calls end if the process ends with it. The
// call is cancelled when the command at the other end goes away.
func (b *backgroundProcess) answer(ctx context.Context, c net.Conn, end func()) {
	// A command writes its call at once.
	_ = c.SetReadDeadline(time.Now().Add(startLimit))
	var call backgroundCall
	if err := json.NewDecoder(io.LimitReader(c, mostCall)).Decode(&call); err != nil {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // it ends when the connection is closed, which is when answer returns
		_, _ = c.Read(make([]byte, 1))
		cancel()
	}()
	a := b.call(ctx, call)
	if call.End {
		end()
	}
	_ = json.NewEncoder(c).Encode(a)
}

func (b *backgroundProcess) call(ctx context.Context, call backgroundCall) backgroundAnswer {
	if call.Tool == "" {
		return backgroundAnswer{Status: &browserStatus{Open: true, PID: os.Getpid(), Version: spyhop.Version, Started: b.started, Calls: int(b.calls.Load()), Idle: b.idle.String()}}
	}
	b.calls.Add(1)
	r, err := b.client.Call(ctx, call.Tool, call.Arguments, tool.Options{Caller: "cli", Given: true})
	var a backgroundAnswer
	if err == nil {
		a.Object, err = r.Object()
	}
	if err != nil {
		failure, _ := tool.AsError(err).MarshalJSON() // strings and numbers can be written
		return backgroundAnswer{Error: failure}
	}
	if a.Text = r.Text; !r.Noted {
		a.Notices = r.Notices
	}
	if call.Settings != b.settings {
		a.Notices = append(slices.Clone(a.Notices), "the browser in the background was opened with other settings; spyhop browser close, then open, takes these")
	}
	return a
}
