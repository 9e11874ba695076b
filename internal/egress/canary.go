package egress

import (
	"maps"
	"net"
	"slices"
	"sync"
)

// Canaries listen on loopback ports that no policy allows. A connection to one
// has bypassed the guard.
type Canaries struct {
	// Hosts are the addresses with ports that listen for TCP, UDP the one that
	// takes packets.
	Hosts []string
	UDP   string

	close []func() error
	work  sync.WaitGroup
	mu    sync.Mutex
	hits  map[string]bool
}

// ListenCanaries opens the canaries. An address that this machine does not have
// is left out; it fails if none exists at all.
func ListenCanaries() (*Canaries, error) {
	c := &Canaries{hits: make(map[string]bool)}
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c.UDP = p.LocalAddr().String()
	c.close = append(c.close, p.Close)
	c.work.Go(func() {
		b := make([]byte, 2048)
		for {
			if _, _, err := p.ReadFrom(b); err != nil {
				return
			}
			c.hit("udp " + c.UDP)
		}
	})
	for _, address := range []string{"127.0.0.1:0", "127.8.8.8:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue
		}
		host := l.Addr().String()
		c.Hosts, c.close = append(c.Hosts, host), append(c.close, l.Close)
		c.work.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				c.hit("tcp " + host)
				_ = conn.Close()
			}
		})
	}
	return c, nil
}

func (c *Canaries) hit(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hits[what] = true
}

// Hits returns the canaries that were reached, for example "tcp 127.8.8.8:4711".
func (c *Canaries) Hits() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.hits))
}

// Close ends the canaries.
func (c *Canaries) Close() {
	for _, f := range c.close {
		_ = f() // the canaries end in any case
	}
	c.work.Wait()
}
