#!/usr/bin/env bash
# Flink's SQL client. With -f it exits 0 when a statement fails: look for [ERROR] in what it prints.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/config.sh"

path="$(class_path)"
for jar in "$FLINK_OPT_DIR"/flink-sql-client-*.jar "$FLINK_OPT_DIR"/flink-sql-gateway-*.jar "$FLINK_OPT_DIR"/flink-python-*.jar; do
    path="$path:$jar"
done
mapfile -t log_opts < <(log_options sql-client log4j-cli.properties)
exec "$JAVA" ${JVM_ARGS:-} "${JAVA_OPTS[@]}" "${log_opts[@]}" -cp "$path" \
    org.apache.flink.table.client.SqlClient "$@"
