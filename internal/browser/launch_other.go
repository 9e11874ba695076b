//go:build !unix

package browser

import (
	"errors"
	"os"
	"syscall"
)

// Windows: [Find] refuses to start a browser there, so that none of these is called.

func processAttributes(int) *syscall.SysProcAttr { return nil }

func groupAttributes() *syscall.SysProcAttr { return nil }

func killLeftovers(string) {}

func killGroup(int) {}

func isRoot() bool { return false }

func lives(int) bool { return false }

func browserUID(int) (int, error) { return ownUID, nil }

func ownFolder(string, os.FileMode) (string, error) { return "", errors.ErrUnsupported }

func lockFile(string) (func(), error) { return nil, errors.ErrUnsupported }
