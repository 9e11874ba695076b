//go:build !linux

package egress

import (
	"errors"
	"os"
	"time"
)

// Network namespaces are Linux' own.
var errNoNamespace = errors.New("this system has no network namespaces")

// Doorway fails on this system.
func Doorway() (near, far *os.File, err error) { return nil, nil, errNoNamespace }

// SendDoors fails on this system.
func SendDoors(*os.File, int) error { return errNoNamespace }

// ReceiveDoors fails on this system.
func ReceiveDoors(*os.File, time.Duration) (*Doors, error) { return nil, errNoNamespace }

func drain(*os.File) {}
