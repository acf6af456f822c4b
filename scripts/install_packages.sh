#!/usr/bin/env bash
# Installs the Debian packages listed in scripts/packages.txt; does nothing when all are there.
# Needs root (or sudo) only when something is missing. CUINSTRUMENT_SKIP_INSTALL=1 skips it altogether.
set -euo pipefail
cd "$(dirname "$0")"

[[ "${CUINSTRUMENT_SKIP_INSTALL:-}" == 1 ]] && exit 0
mapfile -t packages < <(grep -vE '^(#|$)' packages.txt)
missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ "$state" == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

asRoot=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || {
    echo "install_packages.sh: missing packages: ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
    exit 1
  }
  asRoot=(sudo)
fi
echo "installing: ${missing[*]}"
"${asRoot[@]}" apt-get update -qq
"${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
