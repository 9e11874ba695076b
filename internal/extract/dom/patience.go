package dom

// Patience asks Stop once in a while, for walks that ask it at each node. The zero value
// never ends. It must be used by one goroutine only.
type Patience struct {
	// Stop returns an error when the work is to end; nil is never asked.
	Stop  func() error
	asked int
	over  bool
}

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
