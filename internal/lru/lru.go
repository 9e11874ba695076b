// Package lru provides a map with a bound: when it is full, it drops the least
// recently used entry.
//
//	hosts := lru.New[string, *host](1024)
//	hosts.Put("example.com", h)
//	h, ok := hosts.Get("example.com")
//
// # Guarantees
//
// A Map never has more entries than its bound. Every operation takes constant
// time.
//
// # Limits
//
// A Map is not safe for concurrent use: its users have their own locks, which
// mostly protect more than the map.
package lru

import "container/list"

// Map is a map with a bound. Make one with [New].
type Map[K comparable, V any] struct {
	most    int
	entries map[K]*list.Element // of *entry[K, V]
	order   *list.List          // the one used last is in front
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns an empty map for at most most entries, or for one when most is less
// than 1.
func New[K comparable, V any](most int) *Map[K, V] {
	return &Map[K, V]{most: max(most, 1), entries: make(map[K]*list.Element), order: list.New()}
}

// Get returns the value of a key and marks it as used. The bool is false when the
// key is missing.
func (m *Map[K, V]) Get(key K) (V, bool) {
	e, ok := m.entries[key]
	if !ok {
		var none V
		return none, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Put sets the value of a key and marks it as used.
func (m *Map[K, V]) Put(key K, value V) {
	if e, ok := m.entries[key]; ok {
		e.Value.(*entry[K, V]).value = value
		m.order.MoveToFront(e)
		return
	}
	if len(m.entries) >= m.most {
		m.remove(m.order.Back())
	}
	m.entries[key] = m.order.PushFront(&entry[K, V]{key, value})
}

// Delete removes a key; a missing key is not an error.
func (m *Map[K, V]) Delete(key K) {
	if e, ok := m.entries[key]; ok {
		m.remove(e)
	}
}

func (m *Map[K, V]) remove(e *list.Element) {
	m.order.Remove(e)
	delete(m.entries, e.Value.(*entry[K, V]).key)
}

// Len returns the number of entries.
func (m *Map[K, V]) Len() int { return len(m.entries) }
