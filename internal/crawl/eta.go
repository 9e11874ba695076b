package crawl

import "time"

// Meter estimates how long a crawl will take, from the outcomes of the last minute. The zero
// value is ready.
//
//	m.Add(time.Now(), p)
//	if left, ok := m.Left(); ok {
//		fmt.Println("about", left, "to go")
//	}
//
// It gives no estimate where the past does not tell the future: at the beginning, while the
// rate changes, and while pages name ever more URLs that the page limit does not cut off.
type Meter struct{ samples []sample }

type sample struct {
	at                time.Time
	read, over, known int64
	left, max         int64
}

// The thresholds of Meter, chosen on the six sites of TestMeter.
const (
	meterWindow   = time.Minute
	meterSpacing  = meterWindow / 240 // between two samples that are kept
	meterOutcomes = 25                // an estimate is made of at least so many
	meterTime     = time.Second       // and of so long
	meterQuarter  = 1.6               // how far the rate of a quarter may be from that of all, as a factor
	meterHalf     = 1.25              // the same, of the second half
	meterGrowth   = .05               // new URLs for each outcome
	meterPause    = .2                // the part of the estimate that one more pause may take
)

// Add takes a step of the crawl.
func (m *Meter) Add(at time.Time, p Progress) {
	s := sample{at, p.Read, p.Over, p.Known, p.Left, int64(p.Max)}
	if n := len(m.samples); n > 1 && at.Sub(m.samples[n-2].at) < meterSpacing {
		m.samples[n-1] = s
	} else {
		m.samples = append(m.samples, s)
	}
	for len(m.samples) > 2 && at.Sub(m.samples[1].at) > meterWindow {
		m.samples = m.samples[1:]
	}
}

// Rate is the outcomes in a second.
func (m *Meter) Rate() float64 {
	if len(m.samples) < 2 {
		return 0
	}
	return rateBetween(m.samples[0], m.samples[len(m.samples)-1])
}

func rateBetween(a, b sample) float64 {
	if d := b.at.Sub(a.at).Seconds(); d > 0 {
		return float64(b.over-a.over) / d
	}
	return 0
}

// at is the first sample behind a part of the window.
func (m *Meter) at(part float64) sample {
	first, last := m.samples[0].at, m.samples[len(m.samples)-1].at
	when := first.Add(time.Duration(part * float64(last.Sub(first))))
	for _, s := range m.samples {
		if !s.at.Before(when) {
			return s
		}
	}
	return m.samples[len(m.samples)-1]
}

// Left is how long the crawl goes on; false: that is not known.
func (m *Meter) Left() (time.Duration, bool) {
	n := len(m.samples)
	if n < 4 {
		return 0, false
	}
	first, last, middle := m.samples[0], m.samples[n-1], m.at(.5)
	over := last.over - first.over
	if over < meterOutcomes || last.at.Sub(first.at) < meterTime {
		return 0, false
	}
	rate := rateBetween(first, last)
	for _, part := range []float64{0, .25, .5, .75} {
		if !within(rateBetween(m.at(part), m.at(part+.25)), rate, meterQuarter) {
			return 0, false
		}
	}
	recent := rateBetween(middle, last)
	if !within(recent, rate, meterHalf) {
		return 0, false
	}
	todo := float64(last.left)
	growth := float64(last.known-middle.known) / max(float64(last.over-middle.over), 1)
	limited := false
	if pages := float64(last.read - first.read); last.max > 0 && pages > 0 {
		// So many outcomes until the page limit, if as many of them are pages as before.
		if n := float64(last.max-last.read) * float64(over) / pages; n <= todo {
			todo, limited = n, true
		}
	}
	if !limited {
		if growth > meterGrowth {
			return 0, false
		}
		todo /= 1 - growth
	}
	left := time.Duration(todo / recent * float64(time.Second))
	return left, m.pause() <= time.Duration(meterPause*float64(left))+time.Second
}

// pause is the longest time between two samples.
func (m *Meter) pause() (longest time.Duration) {
	for i := 1; i < len(m.samples); i++ {
		longest = max(longest, m.samples[i].at.Sub(m.samples[i-1].at))
	}
	return longest
}

// within reports whether two rates are equal but for a factor.
func within(a, b, factor float64) bool { return a*factor >= b && b*factor >= a && a > 0 }
