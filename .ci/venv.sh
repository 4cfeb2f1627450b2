# Sourced by ./run and ./test: a .venv in this folder with what an extra of pyproject.toml needs.
# Quick the second time: a stamp in .venv holds the hash of what was installed.

python_command() {  # the first Python that is new enough
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Kibitz needs Python 3.11 or newer, and none was found: install it (python.org), then run this again." >&2
    return 1
}

prepare_venv() {  # prepare_venv EXTRA
    local extra=$1 stamp wanted python installed
    stamp=.venv/.installed-$extra
    wanted=$(pwd; cksum pyproject.toml)  # a moved folder has a broken .venv
    if [ -x .venv/bin/python ]; then
        for installed in "$stamp" $([ "$extra" != run ] || ls .venv/.installed-test* 2>/dev/null); do  # those hold run
            [ "$(cat "$installed" 2>/dev/null)" != "$wanted" ] || return 0
        done
    fi
    if ! { [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1; }; then
        python=$(python_command) || return 1
        echo "Making .venv with $("$python" --version)" >&2
        if ! "$python" -m venv --clear .venv >&2; then
            echo "Python's venv module is missing (Debian and Ubuntu: sudo apt install python3-venv)." >&2
            return 1
        fi
    fi
    echo "Installing what Kibitz needs (once; a few minutes on a slow line)" >&2
    if ! .venv/bin/python -m pip install --disable-pip-version-check --editable ".[$extra]" >&2; then
        echo "The installation failed, see above; mend that (is there a network?) and run this again." >&2
        return 1
    fi
    echo "$wanted" >"$stamp"
}
