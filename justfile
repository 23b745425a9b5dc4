# Minimal in commands. `just` alone lists them; `just start` opens the shop, `just test` checks everything.

set quiet

# Node, npm and every Python tool come from the project's own environment.
export PATH := justfile_directory() / ".venv/bin:" + env("PATH")
# Compiled once and kept, Python's modules load three times as fast; some machines forbid it by default.
export PYTHONDONTWRITEBYTECODE := ""
# What mypy found out about the same lines in another checkout is true in this one too.
export MYPY_CACHE_DIR := env("XDG_CACHE_HOME", home_directory() / ".cache") / "minimal/mypy"
export UV_PROJECT_ENVIRONMENT := justfile_directory() / ".venv"
# The system's own Python first, if it is new enough: distributions compile it with optimizations, pyenv does not by
# default, and then all of this takes nearly twice as long.
export UV_PYTHON_SEARCH_PATH := "/usr/bin:" + env("PATH")

[private]
default:
    just --list --unsorted

# Install what is missing, build the client, open the shop: database, stand-ins, server (Ctrl-C closes it)
[group('open')]
start: build
    exec python -m server start --end-with-parent

# The same with reload: the server follows server/, the browser follows client/ on VITE_PORT (5173)
[group('open')]
dev: _dev _documents
    #!/bin/sh
    set -eu
    trap 'trap - INT TERM EXIT; kill "$shop" "$vite" 2>/dev/null; wait' INT TERM EXIT
    python -m server start --reload --end-with-parent & shop=$!
    (cd client && exec npx vite) & vite=$!
    wait "$shop"

# A shop on a cluster, all on this machine: etcd, PostgreSQL under Patroni, HAProxy, S3, web and worker processes
[group('open')]
[positional-arguments]
cluster *arguments: _dev build
    exec python -m tests.cluster "$@"

# The whole shop in one file, dist/minimal-….whl: uvx --from dist/*.whl minimal start; and the versions it was tested with
[group('open')]
wheel: _dev build
    uv build --quiet --wheel --no-build-isolation --out-dir dist
    uv export --quiet --locked --no-default-groups --no-emit-project --no-hashes --output-file dist/constraints.txt

# What everybody runs: lint, types, contracts, schema, client, server within its own process, ten browser paths
[group('check')]
test: _dev _browser build
    python tests/everything.py quick

# The rest: shops that are killed, attacked, failed over and deployed, every browser test (half an hour)
[group('check')]
test-slow: _dev _browser build
    python tests/everything.py slow

# Style of Python and TypeScript
[group('check')]
lint: _dev _packages
    ruff check
    ruff format --check
    cd client && npm run --silent lint

# Types of Python and TypeScript
[group('check')]
types: _dev _documents
    mypy
    cd client && npm run --silent typecheck

# Which domain may import which
[group('check')]
contracts: _dev
    lint-imports --no-logo

# Whether schema.graphql is what the server serves (`just print-schema` writes it anew)
[group('check')]
schema: _dev
    python -m server schema --check

# Unit and service tests of the server, on a PostgreSQL of their own: just server-tests -k cart, or tests/storm
[group('check')]
[positional-arguments]
server-tests *arguments: _dev build
    python -m pytest --ignore tests/e2e "$@"

# Thousands of random reports, a thousand over each random history, with funnels and pairs: just random-reports 5000
[group('check')]
random-reports examples="5000" seed=`python3 -c 'import random; print(random.randrange(10**9))'`: _dev
    #!/bin/sh
    set -eu
    for number in $(seq 0 1000 $(({{ examples }} - 1))); do
      left=$(({{ examples }} - number)) REPORT_SEED=$(({{ seed }} + number))
      export REPORT_EXAMPLES=$((left < 1000 ? left : 1000)) REPORT_SEED
      echo "$REPORT_EXAMPLES reports with REPORT_SEED=$REPORT_SEED"
      python -m pytest -q --show-capture=no -k any_ tests/analytics/reports/test_sales_properties.py \
        tests/analytics/test_funnel_properties.py tests/analytics/test_pairs.py
    done

# Reports on a million orders against their goals and plain SQL; the folder keeps the million: just bench-analytics /tmp/big
[group('check')]
[positional-arguments]
bench-analytics *arguments: _dev build
    python -m tests.analytics.bench "$@"

# What the shop does a second, as shares of a floor that does the same by hand: just bench --products 100000
[group('check')]
[positional-arguments]
bench *arguments: _dev build
    python -m tests.bench "$@"

# Random catalogues, changed at random, held against a plain reading and against SQL: just random-catalogues 5000 200
[group('check')]
random-catalogues examples="5000" histories="200": _dev
    CATALOGUE_EXAMPLES={{ examples }} CATALOGUE_HISTORIES={{ histories }} \
        python -m pytest tests/catalog/index/test_index.py tests/catalog/test_follower.py

# Random GraphQL documents over random values, answered by plans as graphql-core answers them: just random-documents 20000
[group('check')]
random-documents examples="5000": _dev
    PLAN_EXAMPLES={{ examples }} python -m pytest tests/platform/gql/test_plans.py

# Days of a shop at random, after each step of which the stock ledger adds up: just random-days 100
[group('check')]
random-days days="100": _dev
    RANDOM_DAYS={{ days }} python -m pytest tests/inventory/test_ledger_properties.py

# Histories of one payment at random, its events in any order, held against the provider's ledger: just random-payments 5000
[group('check')]
random-payments histories="5000": _dev
    PAYMENT_HISTORIES={{ histories }} python -m pytest tests/payments/test_payment_histories.py

# Random faults of a database, its archive and its bucket; no recovery says more than it has: just random-restores 20
[group('check')]
random-restores number="20" seed=`python3 -c 'import random; print(random.randrange(10**6))'`: _dev
    RESTORES={{ number }} RESTORE_SEED={{ seed }} python -m pytest tests/run/archive/test_random_restores.py

# Crowds of 500 buyers for 50 pieces, one seed after the other: just stampede 20
[group('check')]
stampede seeds="20": _dev
    STAMPEDE_SEEDS={{ seeds }} python -m pytest tests/payments/test_overselling.py -k fifty_pieces

# Kill everything of a shop while people buy, then do its books: just storm --seed 7; of a cluster: just storm --cluster --short
[group('check')]
[positional-arguments]
storm *arguments: _dev build
    python -m tests.storm "$@"

# Random documents and calls over real sockets as every role, reaching the service of every field and route: just fuzz 20000
[group('check')]
fuzz cases="20000": _dev build
    FUZZ_CASES={{ cases }} python -m pytest tests/attacks/test_fuzz.py

# Every wrong value in every field of every operation and route (`just test` sends each field one): just bad-input 1 7
[group('check')]
bad-input share="1" seed="0": _dev build
    BAD_INPUT_SHARE={{ share }} BAD_INPUT_SEED={{ seed }} python -m pytest tests/attacks/test_bad_values.py

# Restart processes in turn under load, as the unit files of deploy/ have it, to another version too: just restarts 10
[group('check')]
restarts number="10": _dev build
    RESTARTS={{ number }} python -m pytest tests/outages/test_restart.py tests/outages/test_versions.py -k 'turn or version'

# Tests of the server while graphql-core executes every operation: just without-plans -k cart
[group('check')]
[positional-arguments]
without-plans *arguments: _dev build
    GRAPHQL_PLANS=off python -m pytest --ignore tests/e2e "$@"

# Component tests of the client: just client-tests price
[group('check')]
[positional-arguments]
client-tests *arguments: _documents
    cd client && npm test --silent -- "$@"

# A whole shop driven by a real Chromium: just e2e -k checkout
[group('check')]
[positional-arguments]
e2e *arguments: _dev _browser build
    python -m pytest tests/e2e "$@"

# The buyer's path in Debian's Firefox and WebKit, if they are installed: just browsers -k WebKit
[group('check')]
[positional-arguments]
browsers *arguments: _dev build
    python -m pytest tests/e2e/others "$@"

# Each screen in each state, and pages without script, on phone and desktop (`just test` takes one of like ones): just axe -k cart
[group('check')]
[positional-arguments]
axe *arguments: _dev _browser build
    EVERY_SIZE=1 python -m pytest tests/e2e/test_axe.py tests/e2e/test_without_script.py "$@"

# What a first visit costs: compressed JS, CSS and fonts of home, category and product, counted in Chromium
[group('check')]
budget: _dev _browser build
    python -m pytest tests/e2e/test_budget.py -s

# What Lighthouse says of a phone's visit, median of five: just lighthouse product --runs 1
[group('check')]
[positional-arguments]
lighthouse *arguments: _dev _browser build
    python -m tests.lighthouse "$@"

# Break a rule of each section in a copy of the shop and show that its tests notice: just mutants screens.cart.empty
[group('check')]
[positional-arguments]
mutants *rows: _dev _documents
    python -m tests.mutants "$@"

# Attack a shop by brute force, by the clock, with slow, big and too many requests: what `just test` leaves out for the time it measures
[group('check')]
[positional-arguments]
siege *arguments: _dev build
    SIEGE_LONG=1 python -m pytest tests/siege tests/run/test_slow_clients.py tests/platform/web/test_load_shedding.py \
        tests/attacks/test_query_abuse.py tests/inventory/test_imports.py -s "$@"

# Which packages of the lock files are known to be vulnerable (0: none, 1: some, 3: the database could not be asked)
[group('check')]
[no-exit-message]
audit: _dev
    python -m tests.siege.audit

# Every screen in every state as pictures, four widths, both themes: just screenshots folder product --width 360
[group('make')]
[positional-arguments]
screenshots *arguments: _dev _browser build
    python -m tests.e2e.screenshots "$@"

# Take the pictures anew that the browser tests hold the shop to
[group('make')]
references: _dev _browser build
    python -m tests.e2e.references

# Bring Python and TypeScript into the house style
[group('make')]
format: _dev _packages
    ruff check --fix --quiet
    ruff format --quiet
    cd client && npm run --silent format

# Install server and client packages as locked, build the client where it changed
[group('make')]
build: install
    python -m server.run.client build

# Install the server's packages, Node included, as locked
[group('make')]
install:
    uv sync --locked --inexact --quiet

# Generate the client's hooks from schema.graphql and its documents
[group('make')]
codegen: _documents

# Write schema.graphql from the server's types
[group('make')]
print-schema: _dev
    python -m server schema

# Draw the demo shop's pictures anew (minutes)
[group('make')]
[positional-arguments]
pictures *arguments:
    uv sync --locked --inexact --quiet --group pictures
    python -m demo.pictures "$@"

# Bring the database's tables up to date
[group('data')]
migrate: install
    python -m server migrate

# Make the next migration from what the models say: just migration "what it does"
[group('data')]
migration message: _dev
    python -m server migration "{{ message }}"

# Make an account the primary admin: just make-admin somebody@example.com
[group('data')]
make-admin email: install
    python -m server make-admin "{{ email }}"

# End the passkeys and codes of a primary admin who has lost them: just end-second-factor somebody@example.com
[group('data')]
end-second-factor email: install
    python -m server end-second-factor "{{ email }}"

# Write database and pictures into a new folder, while the shop runs
[group('data')]
backup folder: install
    python -m server backup "{{ folder }}"

# Fill an empty shop from a backup
[group('data')]
restore folder: install
    python -m server restore "{{ folder }}"

# Fill an empty shop from the continuous backups in BACKUP_URL: just recover --to 2026-11-24T08:00:00+00:00
[group('data')]
[positional-arguments]
recover *arguments: install
    python -m server recover "$@"

# Read the continuous backups in BACKUP_URL and say what can be restored, until when: just verify --sample 0.1
[group('data')]
[positional-arguments]
verify *arguments: install
    python -m server verify "$@"

# Hear again what was paid since a backup, and name the payments that a restored shop cannot know
[group('data')]
catch-up: install
    python -m server catch-up

# A psql on the shop's database
[group('data')]
[positional-arguments]
psql *arguments: install
    python -m server psql "$@"

[private]
_dev:
    uv sync --locked --inexact --quiet --group dev --group pictures

[private]
_packages: install
    python -m server.run.client packages

[private]
_documents: install
    python -m server.run.client documents

[private]
_browser: _dev
    python -m tests.e2e.chromium
