package leftover

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the benchmark that is interrupted, and the program that it has started.
func TestMain(m *testing.M) {
	switch os.Getenv("LEFTOVER") {
	case "":
		os.Exit(m.Run())
	case "started":
		never := make(chan os.Signal, 1)
		signal.Notify(never, syscall.SIGUSR1)
		<-never
	}
	dir, _, err := Folder("leftover-")
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stdout = append(os.Environ(), "LEFTOVER=started"), os.Stdout
	if err == nil {
		err = Start(cmd)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(dir)
	_ = cmd.Wait()
	select {}
}

func TestInterrupted(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		out, in, err := os.Pipe() // both programs have its end
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stdout = append(os.Environ(), "LEFTOVER=benchmark", "TMPDIR="+t.TempDir()), in
		err = cmd.Start()
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		dir := strings.TrimSpace(line)
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%v leaves the folder %q: %v", s, dir, err)
		}
		_ = out.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.ReadAll(lines); err != nil {
			t.Errorf("%v leaves the program that was started: %v", s, err)
		}
	}
}
