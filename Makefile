# `make` alone lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help install demo bench test proof check format docs package sbom clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# npm runs what package.json names with node_modules/.bin first in the path, where Node 24 lies on Linux.
node_modules/.installed: package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# What pages load: they work without it too.
.assets/meta.json: node_modules/.installed $(wildcard src/extra/pages/browser/*.ts src/extra/pages/browser/*/*.ts src/extra/pages/styles/*.css)
	@npm run --silent assets

install: .assets/meta.json ## install the libraries, Node 24 on Linux, and build the scripts and styles of the pages

# With job control the terminal gives Ctrl-C to the demo alone, and its 130 is no fault of make. npm would end by the signal.
demo: install ## sample upstream, full crawl, server: the whole story on one machine (PORT=3000)
	@set -m; PATH="$$PWD/node_modules/.bin:$$PATH" node --import ./scripts/cli/typescript.js scripts/demo.ts $(if $(PORT),--port="$$PORT") || [ $$? = 130 ]

bench: install ## measure every budget, and write scripts/bench/README.md
	@npm run --silent bench -- --write

test: install ## run what must pass, the same tests each time (five minutes)
	@npm run --silent test

proof: install ## run what takes longer or needs other programs: stories of nights, browsers, packages (half an hour)
	@npm run --silent proof

check: install ## formatting, lint, types, words, and exports that nobody imports (under a minute)
	@npm run --silent lint
	@npm run --silent words
	@npm run --silent types
	@npm run --silent unused

format: install ## format the code and fix what the linter can
	@npm run --silent format

docs: install ## write the parts of the pages that come from the code
	@npm run --silent docs

package: install ## make metasnap-<version>.tgz, which npm installs
	@npm run --silent prepack
	npm pack ./.package --silent

sbom: install ## make metasnap-<version>.cdx.json, a list of what runs with it (CycloneDX)
	@npm run --silent sbom

clean: ## remove what the demo and the tools leave behind; journals and snapshots in data stay
	git clean -fdX .vitest .demo .assets .package ':(glob)metasnap-*'
