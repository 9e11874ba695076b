package reader

import (
	"encoding/json"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Form is a JSON Schema that the answer of a model has to fit. It is safe for
// concurrent use.
type Form struct{ schema *schema }

// NewForm checks a schema. It must have fewer than 32 KiB; references stay within it and
// are never fetched. The error is an InvalidInput error.
func NewForm(raw json.RawMessage) (*Form, error) {
	s, err := compileSchema(raw)
	if err != nil {
		return nil, badSchema(err)
	}
	return &Form{s}, nil
}

func badSchema(err error) error {
	return badRequest("the schema cannot be used: "+text.Cause(err), `give a JSON Schema, for example {"type":"object","properties":{…}}`)
}

// Text is the schema as it was given.
func (f *Form) Text() json.RawMessage { return f.schema.text }

// Fit returns the JSON value in the answer of a model, which may stand in a block of
// code. problem says why the value does not fit; empty when it does.
func (f *Form) Fit(answer string) (value json.RawMessage, problem string) {
	v, problem := f.schema.fitting(answer)
	return json.RawMessage(v), problem
}

// HasSelectors reports whether each value of the schema has an x-selector, so that it can
// be filled without a model. It fails with an InvalidInput error where only some have one.
func (f *Form) HasSelectors() (bool, error) {
	fields, err := f.schema.compileFields()
	if err != nil {
		return false, badRequest("the schema cannot be used: "+text.Cause(err), "give each value an x-selector, or none")
	}
	return fields != nil, nil
}
