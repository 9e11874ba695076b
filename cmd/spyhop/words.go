package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// This file makes messages name what the user of the command can give. The parts name
// arguments and tools as a model calls them, mode=raw and browser_snapshot; the user gives
// the flag --mode raw, and runs spyhop browser snapshot.

// flagWords rewrites a message for the command n: arguments that it has as flags, and tools
// that are commands. What stands in quotation marks is somebody else's and stays as it is.
func flagWords(n *kong.Node, message string) string {
	if n == nil || slices.Contains([]string{"call", "plan", "mcp", "serve", "ask"}, strings.Fields(n.Path() + " ")[0]) {
		return message // the messages of these are about the arguments of tools
	}
	words := strings.Split(message, " ")
	quoted, listed := false, false
	for i, word := range words {
		inside := quoted
		if strings.Count(word, `"`)%2 == 1 {
			quoted = !quoted
		}
		if inside || quoted {
			continue
		}
		switch word {
		case "leave":
			listed = slices.Contains(words[i:], "out")
		case "out":
			listed = false
		}
		core := strings.Trim(word, `(),;:."`)
		if core == "" || strings.Contains(word, `"`) {
			continue
		}
		subject := i == 0 && len(words) > 2 && words[1] == "does" && words[2] == "not"
		if shown := flagWord(n, core, listed || subject); shown != core {
			words[i] = strings.Replace(word, core, shown, 1)
		}
	}
	return strings.Join(words, " ")
}

// flagWord is one word. A name that can be an ordinary word is taken for an argument only
// if argument is set.
func flagWord(n *kong.Node, word string, argument bool) string {
	name, value, hasValue := strings.Cut(word, "=")
	if !hasValue && !argument && !strings.Contains(name, "_") {
		return word
	}
	dashed := strings.ReplaceAll(name, "_", "-")
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			switch {
			case f.Name != dashed || f.Hidden:
			case hasValue && !(f.IsBool() && value == "true"):
				return "--" + dashed + " " + value
			default:
				return "--" + dashed
			}
		}
	}
	if hasValue {
		return word
	}
	if command, ok := toolCommands[name]; ok {
		return "spyhop " + command
	}
	if i := slices.IndexFunc(actions, func(a action) bool { return a.tool == name }); i >= 0 {
		return "spyhop browser " + actions[i].name
	}
	return word
}

// toolCommands are the commands that do what tools do, beside those of spyhop browser.
var toolCommands = map[string]string{
	"web_search": "search", "web_fetch": "fetch", "web_map": "map", "web_crawl": "crawl", "web_recall": "recall",
}
