// Command modulezip writes the zip file that a module proxy serves for a version of a
// module, from a git checkout: the files of HEAD, without the modules below it.
//
//	go run ./modulezip ../ github.com/spyhop-dev/spyhop@v0.1.0 v0.1.0.zip
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "modulezip:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: modulezip FOLDER MODULE@VERSION FILE")
	}
	path, version, _ := strings.Cut(args[1], "@")
	out, err := os.Create(args[2])
	if err != nil {
		return err
	}
	if err := zip.CreateFromVCS(out, module.Version{Path: path, Version: version}, args[0], "HEAD", ""); err != nil {
		return err
	}
	return out.Close()
}
