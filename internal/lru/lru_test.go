package lru

import (
	"fmt"
	"testing"
)

func TestMap(t *testing.T) {
	m := New[string, int](2)
	m.Put("a", 1)
	m.Put("b", 2)
	m.Get("a") // b is the older one now
	m.Put("c", 3)
	if _, ok := m.Get("b"); ok || m.Len() != 2 {
		t.Errorf("b is %v, %d entries", ok, m.Len())
	}
	m.Put("a", 4) // again, and no third entry
	m.Put("d", 5)
	if v, ok := m.Get("a"); !ok || v != 4 {
		t.Errorf("a is %d, %v", v, ok)
	}
	m.Delete("a")
	m.Delete("never there")
	if _, ok := m.Get("a"); ok || m.Len() != 1 {
		t.Errorf("a is still there, or %d entries", m.Len())
	}
	one := New[int, int](0)
	one.Put(1, 1)
	one.Put(2, 2)
	if one.Len() != 1 {
		t.Errorf("%d entries", one.Len())
	}
}

func ExampleMap() {
	m := New[string, int](2)
	for i, name := range []string{"a", "b", "c"} {
		m.Put(name, i)
	}
	_, first := m.Get("a")
	_, last := m.Get("c")
	fmt.Println(first, last)
	// Output: false true
}
