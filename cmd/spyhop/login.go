package main

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

type loginCmd struct {
	Site   string `arg:"" optional:"" help:"Domain or URL where you log in, for example example.com."`
	List   bool   `help:"List the saved logins, without their cookies and storage."`
	Forget bool   `help:"Remove the login of the site."`
	For    string `help:"Whose login it is: the name of a token of spyhop serve, or anonymous for its callers without one. Default: local, the command and MCP on stdio." placeholder:"NAME"`
}

func (c *loginCmd) run(s *session) error {
	switch {
	case c.List && (c.Forget || c.Site != ""):
		return tool.NewError(tool.InvalidInput, "--list takes neither a site nor --forget", "run: spyhop login --list")
	case c.Site == "" && !c.List:
		return tool.NewError(tool.InvalidInput, "no site was given", "run: spyhop login example.com; spyhop login --list shows the saved logins")
	case c.List || c.Forget:
		return c.saved(s)
	}
	o, err := s.configuration()
	if err != nil {
		return err
	}
	o.BrowserHeaded, o.OnProgress, o.Owner = true, nil, c.For
	client, err := spyhop.New(o)
	if err != nil {
		return err
	}
	defer client.Close()
	s.tell("opening a browser window: sign in there, then press Enter here, or close the window")
	info, err := client.Login(s.ctx, c.Site, entered(s.stdin))
	if err != nil {
		return err
	}
	if s.printed(info) {
		return nil
	}
	s.sentence(describeLogin(info))
	return nil
}

// entered returns a channel that is closed when a line is read. If stdin ends
// without a line, it stays open. Its goroutine ends with the process, because
// reading from a terminal cannot be cancelled.
func entered(stdin io.Reader) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		if _, err := bufio.NewReader(stdin).ReadString('\n'); err == nil {
			close(done)
		}
	}()
	return done
}

// saved lists logins or removes one.
func (c *loginCmd) saved(s *session) error {
	o, _, err := s.unlogged()
	if err != nil {
		return err
	}
	o.Owner = c.For
	client, err := spyhop.New(o)
	if err != nil {
		return err
	}
	defer client.Close()
	if c.Forget {
		site, err := client.Forget(c.Site)
		if err == nil && !s.printed(map[string]string{"forgotten": site}) {
			s.content("the login of " + site + " was removed")
		}
		return err
	}
	all, err := client.Logins()
	if err != nil {
		return err
	}
	if s.printed(map[string]any{"logins": all}) {
		return nil
	}
	for _, info := range all {
		s.content(describeLogin(info))
	}
	if len(all) == 0 {
		s.screen.fitted("no login is saved; spyhop login example.com saves one", "")
	}
	return nil
}

func describeLogin(i result.LoginInfo) string {
	text := fmt.Sprintf("%s: saved %s", printable(i.Site), i.Saved.Format(time.DateOnly))
	if i.Locked {
		return text + "; cannot be decrypted with the key of WEB_SESSION_KEY"
	}
	text += fmt.Sprintf("; cookies %d, origins with storage %d", i.Cookies, i.Stores)
	if !i.Ends.IsZero() {
		text += "; expires " + i.Ends.Format(time.DateOnly)
	}
	return text
}
