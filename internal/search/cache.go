package search

import (
	"container/list"
	"sync"
	"time"
)

// Cache stores answers by key. Implementations must be safe for concurrent use;
// neither the cache nor its caller changes a value.
type Cache interface {
	// Get returns the value of a key; ok is false if none exists or it has
	// expired.
	Get(key string) (value []byte, ok bool)
	// Put stores a value for ttl. The cache may drop it earlier.
	Put(key string, value []byte, ttl time.Duration)
}

// maxCached is the maximum length of a value of a Memory, in bytes.
const maxCached = 256 << 10

// Memory is a [Cache] in memory with a bounded number of values; it evicts the
// least recently used. Make one with [NewMemory].
type Memory struct {
	mu    sync.Mutex
	most  int
	now   func() time.Time
	order *list.List // of *entry, the last used first
	byKey map[string]*list.Element
}

type entry struct {
	key   string
	value []byte
	until time.Time
}

// NewMemory returns a Memory for at most most values, each of at most 256 KiB;
// longer values are not stored. now is the clock.
func NewMemory(most int, now func() time.Time) *Memory {
	return &Memory{most: most, now: now, order: list.New(), byKey: make(map[string]*list.Element)}
}

// Get implements Cache.
func (m *Memory) Get(key string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	el := m.byKey[key]
	if el == nil {
		return nil, false
	}
	e := el.Value.(*entry)
	if !m.now().Before(e.until) {
		m.remove(el)
		return nil, false
	}
	m.order.MoveToFront(el)
	return e.value, true
}

// Put implements Cache.
func (m *Memory) Put(key string, value []byte, ttl time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if el := m.byKey[key]; el != nil {
		m.remove(el)
	}
	if ttl <= 0 || len(value) > maxCached || m.most < 1 {
		return
	}
	if m.order.Len() >= m.most {
		m.remove(m.order.Back())
	}
	m.byKey[key] = m.order.PushFront(&entry{key, value, m.now().Add(ttl)})
}

func (m *Memory) remove(el *list.Element) {
	delete(m.byKey, m.order.Remove(el).(*entry).key)
}
