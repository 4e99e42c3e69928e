# Run a test binary under another name: `run_elsewhere.sh BINARY [ARGUMENT …]`
folder=$(mktemp -d /w/tmp/program.XXXXXX) && cp "$1" "$folder/program" && shift && exec "$folder/program" "$@"
