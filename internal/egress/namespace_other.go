//go:build !linux

package egress

import (
	"errors"
	"os"
	"time"
)

// Network namespaces are Linux' own.
var errNoNamespace = errors.New("this system has no network namespaces")

// SocketPair fails on this system.
func SocketPair() (near, far *os.File, err error) { return nil, nil, errNoNamespace }

// SendListeners fails on this system.
func SendListeners(*os.File, int) error { return errNoNamespace }

// ReceiveListeners fails on this system.
func ReceiveListeners(*os.File, time.Duration) (*NamespaceListeners, error) {
	return nil, errNoNamespace
}

func drain(*os.File) {}
