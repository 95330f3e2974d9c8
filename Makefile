# Each line does one thing; the scripts say how.
.PHONY: run test check bench dist shots

# Builds and starts the app (without a display: the inbox for terminals).
run:
	@scripts/run

# Everything, the real window included. One layer: scripts/test --only rust
test:
	@scripts/test

# Format and lints.
check:
	@scripts/test --only format --only lint

# Figures, from a release build.
bench:
	@scripts/page-packages && cd ui && npm run --silent build
	@cargo build --release -p countersign -p countersign-desktop -p countersign-benches --features tauri/custom-protocol --bins --example empty_window
	@"$${CARGO_TARGET_DIR:-target}/release/countersign-bench"

# Installers for this system, in target/release/bundle.
dist:
	@scripts/install-system build && scripts/page-packages && cd ui && npm run --silent build
	@npx --yes @tauri-apps/cli@2.12.5 build

# Pictures of the real window, in docs/shots.
shots:
	@scripts/install-system test && scripts/venvs && scripts/shots
