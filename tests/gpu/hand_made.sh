# shellcheck shell=bash
# Sourced by tests that compile units written by hand: a folder of their own, and a unit's tables.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2 && exit 1; }

tables() {  # file, kernel, id of each site
  local file=$1 kernel=$2
  shift 2
  echo "CUI_TABLE_FILES CUI_FILE(\"$file\", \"/$file\", 0x1)"
  echo CUI_TABLE_SITES
  for site in "$@"; do
    echo "CUI_SITE(0x$site, 0, 1, 1, 1, 2, store, global, instrumented, 4, 0, \"f\", \"p[0]\", \"p\", \"0\", \"int\", \"\", \"\", \"\")"
  done
  cat <<EOF
CUI_TABLE_KERNELS CUI_KERNEL_ENTRY("$kernel", 0, 1, 1)
CUI_TABLE_LAUNCHES CUI_LAUNCH_ENTRY("$kernel", "$kernel", "main", 0, 1, 1, 0)
CUI_TABLE_CALLS
CUI_TABLE_VARIABLES
CUI_TABLE_GLOBALS
CUI_TABLE_END("$file", "by hand")
EOF
}
