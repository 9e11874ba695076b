package egress

import (
	"errors"
	"net"
	"os"
	"sync"
)

// Doors are sockets that listen inside of a network namespace which has nothing
// else: whoever runs there reaches the proxies that take connections from them,
// see ProxyOptions.Listener, and nobody besides, whatever his settings. They
// are made inside by [SendDoors] and used outside, where all judging and
// dialling is done. Methods may be called from several goroutines.
type Doors struct {
	mu     sync.Mutex
	all    []*os.File // empty after Close
	unused []*os.File
}

var errNoDoor = errors.New("all of the namespace's sockets are in use")

func newDoors(files []*os.File) *Doors {
	return &Doors{all: files, unused: append([]*os.File(nil), files...)}
}

// Listen returns a socket that nobody uses. When it is closed, it can be given
// away again.
func (d *Doors) Listen() (net.Listener, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.unused) == 0 {
		return nil, errNoDoor
	}
	f := d.unused[0]
	drain(f)
	l, err := net.FileListener(f) // with a descriptor of its own
	if err != nil {
		return nil, err
	}
	d.unused = d.unused[1:]
	return &door{Listener: l, doors: d, file: f}, nil
}

// Close closes the sockets that nobody uses, and the others when their
// listeners are closed.
func (d *Doors) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.all {
		_ = f.Close()
	}
	d.all, d.unused = nil, nil
}

// A door is a socket in use.
type door struct {
	net.Listener
	doors  *Doors
	file   *os.File
	closed sync.Once
}

func (l *door) Close() error {
	err := net.ErrClosed
	l.closed.Do(func() {
		err = l.Listener.Close()
		l.doors.mu.Lock()
		defer l.doors.mu.Unlock()
		if l.doors.all != nil {
			l.doors.unused = append(l.doors.unused, l.file)
		}
	})
	return err
}
