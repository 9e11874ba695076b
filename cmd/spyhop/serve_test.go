package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// ready waits for a file that the server writes when it can be asked.
func ready(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ready FILE")
	}
	for range 2000 { // ten seconds, which only a server needs that will never be ready
		if text, err := os.ReadFile(ts.MkAbs(args[0])); err == nil {
			ts.Setenv("SERVER", strings.TrimSpace(string(text)))
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	ts.Fatalf("%s was not written", args[0])
}

// ask sends a request; what comes back is on stdout, its headers on stderr.
func ask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args)%2 != 0 {
		ts.Fatalf("usage: http STATUS [-X METHOD] [-d BODY] [-H HEADER] URL")
	}
	method, body := "GET", ""
	header := http.Header{}
	for i := 1; i < len(args)-1; i += 2 {
		switch args[i] {
		case "-X":
			method = args[i+1]
		case "-d":
			method, body = "POST", args[i+1]
		case "-H":
			name, value, _ := strings.Cut(args[i+1], ": ")
			header.Set(name, value)
		}
	}
	req, err := http.NewRequest(method, args[len(args)-1], strings.NewReader(body))
	ts.Check(err)
	req.Header, req.Host = header, header.Get("Host")
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	_, err = io.Copy(ts.Stdout(), res.Body)
	ts.Check(err)
	ts.Check(res.Header.Write(ts.Stderr()))
	if strconv.Itoa(res.StatusCode) != args[0] {
		ts.Fatalf("status %d, want %s", res.StatusCode, args[0])
	}
}

// token sets a variable to the token that the server has kept.
func token(ts *testscript.TestScript, _ bool, args []string) {
	file := filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "spyhop", "serve-token")
	info, err := os.Stat(file)
	ts.Check(err)
	if info.Mode().Perm() != 0o600 {
		ts.Fatalf("%s has mode %v", file, info.Mode())
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(file)))
}
