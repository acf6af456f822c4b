#!/usr/bin/env bash
# Prints the folder of the toolkit's libraries, as the linker's -L, for lines that link without nvcc. nvcc says it: what is on PATH may
# be a script that calls the toolkit's, far from its libraries.
#   nvcc_libraries.sh [NVCC]
set -euo pipefail
file=$(mktemp --suffix=.cu)
trap 'rm -f "$file"' EXIT
"${1:-nvcc}" --dryrun "$file" 2>&1 | sed -n 's/^#\$ LIBRARIES=.*"-L\([^"]*\)".*/-L\1/p'
