package dom

import "io"

// Patience asks Stop once in a while, for walks that ask it at each node. The zero value
// never ends. It must be used by one goroutine only.
type Patience struct {
	// Stop returns an error when the work is to end; nil is never asked.
	Stop  func() error
	asked int
	over  bool
}

// patienceSteps is how many nodes are looked at between two questions.
const patienceSteps = 256

// Over reports whether the work is to end. What is returned then is not complete; the
// caller asks Stop himself.
func (p *Patience) Over() bool {
	if p.over || p.Stop == nil {
		return p.over
	}
	if p.asked++; p.asked%patienceSteps == 0 {
		p.over = p.Stop() != nil
	}
	return p.over
}

// stoppable is a reader that ends with the error of stop.
type stoppable struct {
	io.Reader
	stop func() error
}

func (r stoppable) Read(b []byte) (int, error) {
	if r.stop != nil {
		if err := r.stop(); err != nil {
			return 0, err
		}
	}
	return r.Reader.Read(b)
}
