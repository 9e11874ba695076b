package agent

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// noModel is the error of a question where no language model is configured.
func noModel() error {
	return tool.NewError(tool.InvalidInput, "no language model is configured",
		"set WEB_MODEL to provider/name, for example ollama/qwen3 or anthropic/claude-sonnet-5, and the provider's key")
}

// ParsePrice reads a price as "in/out", both in US dollars for a million tokens, for
// example "0.25/2". Empty means that it is unknown.
func ParsePrice(s string) (p Price, err error) {
	if s == "" {
		return p, nil
	}
	in, out, _ := strings.Cut(s, "/")
	var errs [2]error
	p.In, errs[0] = strconv.ParseFloat(strings.TrimSpace(in), 64)
	p.Out, errs[1] = strconv.ParseFloat(strings.TrimSpace(out), 64)
	if errors.Join(errs[:]...) != nil || !(p.In >= 0 && p.Out >= 0) || math.IsInf(p.In+p.Out, 0) {
		return Price{}, errors.New("write the price of a million tokens read and written in US dollars, for example 0.25/2")
	}
	return p, nil
}
