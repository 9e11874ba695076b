package egress

import (
	"errors"
	"net"
	"os"
	"sync"
)

// NamespaceListeners are sockets that listen in a network namespace without any
// other connection. A process in the namespace reaches only the proxies that take
// connections from them, see ProxyOptions.Listener, whatever its settings. They
// are made inside the namespace by [SendListeners] and used outside, where the
// guard judges and dials. Methods may be called from several goroutines.
type NamespaceListeners struct {
	mu     sync.Mutex
	all    []*os.File // empty after Close
	unused []*os.File
}

var errNoListener = errors.New("all of the namespace's sockets are in use")

func newNamespaceListeners(files []*os.File) *NamespaceListeners {
	return &NamespaceListeners{all: files, unused: append([]*os.File(nil), files...)}
}

// Listen returns an unused listener. After it is closed, Listen can return it
// again.
func (n *NamespaceListeners) Listen() (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.unused) == 0 {
		return nil, errNoListener
	}
	f := n.unused[0]
	drain(f)
	l, err := net.FileListener(f) // with a separate descriptor
	if err != nil {
		return nil, err
	}
	n.unused = n.unused[1:]
	return &namespaceListener{Listener: l, listeners: n, file: f}, nil
}

// Close closes the unused sockets; the others are closed with their listeners.
func (n *NamespaceListeners) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, f := range n.all {
		_ = f.Close()
	}
	n.all, n.unused = nil, nil
}

// A namespaceListener is a socket in use.
type namespaceListener struct {
	net.Listener
	listeners *NamespaceListeners
	file      *os.File
	closed    sync.Once
}

func (l *namespaceListener) Close() error {
	err := net.ErrClosed
	l.closed.Do(func() {
		err = l.Listener.Close()
		l.listeners.mu.Lock()
		defer l.listeners.mu.Unlock()
		if l.listeners.all != nil {
			l.listeners.unused = append(l.listeners.unused, l.file)
		}
	})
	return err
}
