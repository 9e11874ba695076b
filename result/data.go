package result

import (
	"encoding/json"

	"github.com/spyhop-dev/spyhop/tool"
)

// DataRow is the data of one page.
type DataRow struct {
	URL     string `json:"url"`
	Version string `json:"version,omitempty"`
	// Data is a value of the schema; nil with an Error.
	Data json.RawMessage `json:"data,omitempty"`
	// Evidence and Citations support Data where a model has read the page; a schema with
	// selectors needs none.
	Evidence  []Evidence `json:"evidence,omitempty"`
	Citations []Citation `json:"citations,omitempty"`
	// Missing are the fields that the pages had from which the selectors were learned, as
	// JSON pointers.
	Missing []string `json:"missing,omitempty"`
	// Error says why there is no data; nil on success.
	Error *tool.Error `json:"error,omitempty"`
}

// DataSummary says what became of the pages of a Data request.
type DataSummary struct {
	Rows   int `json:"rows"` // with data
	Failed int `json:"failed"`
	// Changed are the hosts whose pages miss fields that they had when the selectors were
	// learned.
	Changed []string `json:"changed,omitempty"`
	// Usage is what the model cost; its Steps and Seconds are 0.
	Usage Usage `json:"usage"`
	// Notices say what was done in another way than requested.
	Notices []string `json:"notices,omitempty"`
}
