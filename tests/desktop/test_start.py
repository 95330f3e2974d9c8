"""The two commands of the README, on machines that lack something."""

import shutil
import subprocess

import pytest

from house import ROOT, TARGET, Lines, until

PLAIN = ["bash", "sh", "sed", "comm", "tr", "sort", "cat", "dirname", "ls", "env", "true"]


@pytest.fixture
def machine(tmp_path):
    """Another machine, as far as `install-system` can tell: only the commands named are there, and they are recorded."""
    bin, log = tmp_path / "bin", tmp_path / "log"
    bin.mkdir()
    for name in PLAIN:
        (bin / name).symlink_to(shutil.which(name))

    def command(name, body="true"):
        path = bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{log}"\n{body}\n')
        path.chmod(0o755)

    for name in ("cargo", "npm", "python3", "chromium"):
        command(name)

    def install(tier, system="Linux", user=0, **commands):
        for name, body in {"uname": f"echo {system}", "id": f"echo {user}", **commands}.items():
            command(name.replace("_", "-"), body)
        done = subprocess.run(
            ["bash", str(ROOT / "scripts/install-system"), tier], capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env={"PATH": str(bin), "CHROMIUM": str(bin / "chromium")},
        )
        return done.returncode, done.stderr, log.read_text() if log.exists() else ""

    return install


def test_what_is_missing_is_installed_with_each_systems_own_tool(machine):
    code, _, ran = machine("build", apt_get="true", dpkg_query="echo installed librsvg2-dev")
    assert code == 0
    installed = next(line for line in ran.splitlines() if line.startswith("apt-get install"))
    assert "libwebkit2gtk-4.1-dev" in installed and "librsvg2-dev" not in installed and "xvfb" not in installed


@pytest.mark.parametrize("tool, lacks", [("dnf", {"dnf": "true", "rpm": "false"}), ("pacman", {"pacman": '[ "$1" != -T ] || { shift; echo "$@"; exit 127; }'})])
def test_other_systems_use_theirs(machine, tool, lacks):
    code, _, ran = machine("test", **lacks)
    assert code == 0
    assert any(line.startswith(f"{tool} ") and "dunst" in line and "webkit" in line for line in ran.splitlines()), ran


def test_without_rights_the_command_to_run_is_said_and_nothing_is_run(machine):
    code, said, ran = machine("build", user=1000, apt_get="true", dpkg_query="true")
    assert code == 1
    assert "apt-get install" in said and "libwebkit2gtk-4.1-dev" in said
    assert "apt-get" not in ran


@pytest.mark.parametrize("system, named", [("Darwin", "xcode-select --install"), ("MINGW64_NT-10.0", "WebView2")])
def test_on_macos_and_windows_what_is_missing_is_named(machine, system, named):
    code, said, _ = machine("build", system=system, xcode_select="false")
    assert code == 1 and named in said


def test_make_run_without_a_display_serves_and_says_how_to_answer(home):
    environment = {name: value for name, value in home.environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["CARGO_TARGET_DIR"] = str(TARGET.parent)
    # What `make run` calls; in the end it becomes the program itself.
    words = ["--insecure-test", "--passphrase-file", home.passphrase, "--port", "0", "--json"]
    run = Lines(["bash", ROOT / "scripts/run", *words], environment)
    try:
        run.line("it listens", lambda line: "listening" in line, seconds=300)
        until("it says how to answer", lambda: "countersign inbox answer ID" in "".join(run.errors))
        assert home.run("inbox", "list") == []
    finally:
        run.end()
