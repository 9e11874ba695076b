package about

// jsonLD adds the items of a script of JSON-LD, which may have several values.
func (g *Graph) jsonLD(script string, b *budget) {
	for range maxScripts {
		v, n, ok := b.parse(script)
		g.topValue(&v, 0)
		if script = script[n:]; !ok || v.kind != objectKind && v.kind != listKind {
			return
		}
	}
}

// topValue adds the items of a value that is not within an item. A graph is the list
// of its items.
func (g *Graph) topValue(v *value, depth int) {
	if depth > maxItemDepth {
		g.Cut = true
		return
	}
	switch graph := v.get("@graph"); {
	case v.kind == listKind:
		for i := range v.list {
			g.topValue(&v.list[i], depth+1)
		}
	case graph != nil:
		g.topValue(graph, depth+1)
	case v.kind == objectKind:
		if it := g.objectItem(v, depth); it != nil && len(it.Members) > 0 {
			g.Items = append(g.Items, it)
		}
	}
}

// objectItem makes an item of an object; nil where there are too many.
func (g *Graph) objectItem(v *value, depth int) *Item {
	if depth > maxItemDepth {
		g.Cut = true
		return nil
	}
	var types []string
	if t := v.get("@type"); t != nil {
		types = append(types, t.str)
		for i := range t.list {
			types = append(types, t.list[i].str)
		}
	}
	it := g.newItem(LinkedData, types...)
	if it == nil {
		return nil
	}
	if id := v.text("@id"); id != "" {
		g.named(it, id)
	}
	for i, key := range v.keys {
		if key != "@context" && key != "@id" && key != "@type" {
			g.member(it, key, &v.list[i], depth+1)
		}
	}
	return it
}

// member adds a value to an item. A list is several values; {"@value": "x"} is x.
func (g *Graph) member(it *Item, key string, v *value, depth int) {
	if depth > maxItemDepth {
		g.Cut = true
		return
	}
	if s, ok := v.scalar(); ok {
		g.add(it, key, Value{Text: g.bounded(s)})
		return
	}
	if v.kind == listKind {
		for i := range v.list {
			g.member(it, key, &v.list[i], depth+1)
		}
		return
	}
	for _, of := range [...]string{"@value", "@list", "@set"} {
		if m := v.get(of); m != nil {
			g.member(it, key, m, depth+1)
			return
		}
	}
	if v.kind == objectKind {
		if o := g.objectItem(v, depth); o != nil {
			g.add(it, key, Value{Item: o})
		}
	}
}
