package frontiertest

import (
	"testing"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

var implementations = []implementation{
	{
		name:  "sqlite",
		place: func(t *testing.T) string { return t.TempDir() },
		open: func(place string, o frontier.Options) (*frontier.Frontier, error) {
			o.Dir = place
			return frontier.OpenSQLite(o)
		},
	},
	{
		name:  "postgres",
		place: func(t *testing.T) string { return postgresPlace(t) },
		open:  openPostgres,
	},
}
