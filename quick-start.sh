#!/usr/bin/env bash
# Converts two real tables on a real Flink, and checks every count on the way.
#
#   ./quick-start.sh [--no-build]
#
# With --no-build it takes the jars that an earlier "mvn package" made.
#
# Needs a JDK 17 or later and Maven. Everything it writes lies in target/quick-start, and nothing it
# starts is left running. With FLINK_HOME it uses that Flink 2.0 instead of assembling one: it starts
# a cluster of its own from it, with its own configuration, and changes nothing in that folder.
# MAVEN_ARGS is handed to Maven.
set -euo pipefail

case "${1:-}" in
    "") build=yes ;;
    --no-build) build=no ;;
    *)
        printf 'Unknown argument %s. Usage: %s [--no-build]\n' "$1" "$0" >&2
        exit 2
        ;;
esac

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$root/target/quick-start"
warehouse="$work/warehouse"
characters="$warehouse/demo.db/characters"
names="$warehouse/demo.db/names"
child=""
cluster_started=no

say() {
    printf '\n[%3d s] %s\n' "$SECONDS" "$*"
}

detail() {
    printf '        %s\n' "$*"
}

fail() {
    printf '\nQuick start failed: %s\n' "$*" >&2
    printf 'Logs are in %s\n' "$work" >&2
    exit 1
}

# Runs a command so that a signal ends it too, with its output in a file.
run_to() {
    local output="$1" code=0
    shift
    "$@" > "$output" 2>&1 < /dev/null &
    child=$!
    wait "$child" || code=$?
    child=""
    return "$code"
}

stop_everything() {
    local code=$? pid file
    trap - EXIT INT TERM
    [ -z "$child" ] || kill "$child" 2> /dev/null || true
    if [ "$cluster_started" = yes ]; then
        local pids
        pids="$(cat "$FLINK_PID_DIR"/*.pid 2> /dev/null || true)"
        "$FLINK_HOME/bin/taskmanager.sh" stop > /dev/null 2>&1 || true
        "$FLINK_HOME/bin/jobmanager.sh" stop > /dev/null 2>&1 || true
        for pid in $pids; do
            for _ in $(seq 100); do
                kill -0 "$pid" 2> /dev/null || break
                sleep 0.1
            done
            kill -9 "$pid" 2> /dev/null || true
        done
    fi
    exit "$code"
}
trap stop_everything EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

free_port() {
    local port
    for _ in $(seq 50); do
        port=$((20000 + RANDOM % 12000))
        (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null || {
            echo "$port"
            return
        }
    done
    fail "no free port found on 127.0.0.1."
}

rest() {
    (
        exec 3<> "/dev/tcp/127.0.0.1/$rest_port"
        printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$1" >&3
        cat <&3
    ) 2> /dev/null
}

only_jar() {
    local jar
    for jar in "$@"; do
        case "$jar" in
            *-sources.jar | *-tests.jar | *-javadoc.jar) ;;
            *)
                [ -f "$jar" ] && echo "$jar"
                return
                ;;
        esac
    done
}

# sql <name>: runs the statements on standard input. The client exits 0 on errors, so they are looked for.
sql() {
    local name="$1"
    {
        echo "SET 'execution.runtime-mode' = 'batch';"
        echo "SET 'table.dml-sync' = 'true';"
        echo "SET 'sql-client.execution.result-mode' = 'tableau';"
        echo "SET 'table.display.max-column-width' = '2000';"
        echo "CREATE CATALOG stock WITH ('type' = 'paimon', 'warehouse' = 'file://$warehouse');"
        cat
    } > "$work/$name.sql"
    run_to "$work/$name.out" "$FLINK_HOME/bin/sql-client.sh" -hist "$work/sql-history" -f "$work/$name.sql" \
        || fail "the SQL client ended with an error, see $name.out."
    if grep -q '\[ERROR\]' "$work/$name.out"; then
        grep -A 20 '\[ERROR\]' "$work/$name.out" >&2
        fail "a statement of $name.sql failed."
    fi
}

# answer <name> <label>: the value of the row "<label>=<value>" that a query of that session printed.
answer() {
    sed -n "s/^| *$2=\(.*[^ ]\) *|\$/\1/p" "$work/$1.out" | tail -n 1
}

expected() {
    sed -n "s/^$1=//p" "$work/expected"
}

# check <what> <expected> <actual>
check() {
    [ "$2" = "$3" ] || fail "$1 should be $2, but is ${3:-missing}."
    detail "$1: $3"
}

# What a conversion must leave as it is: every file of a table's partitions and buckets.
data_files() {
    (cd "$1" && find . -path '*bucket-*' -type f -exec cksum {} + | LC_ALL=C sort)
}

all_files() {
    (cd "$1" && find . -type f -exec cksum {} + | LC_ALL=C sort)
}

file_count() {
    find "$1" -path '*bucket-*' -name 'data-*' -type f | wc -l | tr -d ' '
}

# --- build, and a Flink ---------------------------------------------------------------------------

command -v java > /dev/null || fail "java is not on the PATH. Install a JDK 17 or later."
command -v mvn > /dev/null || fail "mvn is not on the PATH. Install Maven 3.8 or later."
cd "$root"
rm -rf "$work"
mkdir -p "$work/log" "$work/run" "$work/tmp"

if [ "$build" = yes ]; then
    say "Building the jars with Maven: about a minute (the first time it downloads what it needs)."
    # shellcheck disable=SC2086 # several arguments in one variable
    run_to "$work/build.log" mvn -B -ntp -q -Dstyle.color=never ${MAVEN_ARGS:-} package -DskipTests \
        || { tail -n 40 "$work/build.log" >&2; fail "the build failed."; }
fi
action_jar="$(only_jar "$root"/flink-action/target/paimon-inplace-flink-action-*.jar)"
bundle="$(only_jar "$root"/flink-procedures/target/paimon-inplace-flink-procedures-*.jar)"
[ -n "$action_jar" ] && [ -n "$bundle" ] || fail "the build made no action jar or no bundle."

if [ -n "${FLINK_HOME:-}" ]; then
    missing=""
    compgen -G "$FLINK_HOME/lib/paimon-flink-2.0-2.0.0.jar" > /dev/null || missing="paimon-flink-2.0-2.0.0.jar"
    cmp -s "$bundle" "$FLINK_HOME/lib/$(basename "$bundle")" || missing="$missing $bundle"
    compgen -G "$FLINK_HOME/lib/*hadoop*.jar" > /dev/null || [ -n "${HADOOP_CLASSPATH:-}" ] \
        || missing="$missing hadoop-client-api-3.3.6.jar hadoop-client-runtime-3.3.6.jar"
    [ -z "$missing" ] || fail "copy into $FLINK_HOME/lib first: $missing"
    say "Using the Flink in $FLINK_HOME."
else
    say "Assembling a Flink 2.0.0 from Maven artifacts."
    FLINK_HOME="$root/it-tests/target/flink-home"
    run_to "$work/flink-home.log" "$root/it-tests/bin/flink-home" "$FLINK_HOME" \
        || { cat "$work/flink-home.log" >&2; fail "no Flink home could be assembled."; }
    detail "$FLINK_HOME"
fi
cp -R "$FLINK_HOME/conf" "$work/conf"
rest_port="$(free_port)"
rpc_port="$(free_port)"
sed -e "s|^rest.port:.*|rest.port: $rest_port|" \
    -e "s|^jobmanager.rpc.port:.*|jobmanager.rpc.port: $rpc_port|" \
    -e "s|^env.java.opts.all: |&-Djava.io.tmpdir=$work/tmp |" \
    "$root/it-tests/flink-home/conf/config.yaml" > "$work/conf/config.yaml"
export FLINK_HOME FLINK_CONF_DIR="$work/conf" FLINK_LOG_DIR="$work/log" FLINK_PID_DIR="$work/run"
export FLINK_IDENT_STRING=quick-start
cluster_started=yes
run_to "$work/jobmanager.log" "$FLINK_HOME/bin/jobmanager.sh" start || fail "the JobManager did not start."
run_to "$work/taskmanager.log" "$FLINK_HOME/bin/taskmanager.sh" start || fail "the TaskManager did not start."
for _ in $(seq 240); do
    ! rest /overview | grep -q '"slots-available":4' || break
    sleep 0.25
done
rest /overview | grep -q '"slots-available":4' || fail "no task slots within a minute."
say "Started a JobManager (127.0.0.1:$rest_port) and a TaskManager with 4 slots."

# --- two tables with real data, made by stock Paimon -----------------------------------------------

run_to "$work/expected" java "$root/it-tests/quick-start/UnicodeCharacters.java" "$work/data" \
    || fail "the Unicode Character Database could not be written."
rows="$(expected rows)"
filled_later=$(($(expected part_1_rows) + $(expected part_2_rows) + $(expected part_3_rows)))
say "Real data: the Unicode Character Database that this JDK carries, $rows characters."

source_table() {
    echo "CREATE TEMPORARY TABLE default_catalog.default_database.part_$1 (code_point INT, name STRING, script STRING, block STRING, utf8 STRING, category STRING) WITH ('connector' = 'filesystem', 'path' = 'file://$work/data/part-$1.csv', 'format' = 'csv', 'csv.field-delimiter' = '|');"
}
load() {
    for part in "$@"; do
        echo "INSERT INTO demo.characters (code_point, name, script, block, category) SELECT code_point, name, script, block, category FROM default_catalog.default_database.part_$part;"
    done
}
{
    for part in 1 2 3 4; do source_table "$part"; done
    cat << 'SQL'
USE CATALOG stock;
CREATE DATABASE demo;
CREATE TABLE demo.characters (code_point INT, name STRING, script STRING, block STRING, category STRING) PARTITIONED BY (category);
SQL
    load 1 2 3
    cat << 'SQL'
ALTER TABLE demo.characters ADD utf8 STRING;
INSERT INTO demo.characters (code_point, name, script, block, category, utf8) SELECT code_point, name, script, block, category, utf8 FROM default_catalog.default_database.part_4;
CREATE TABLE demo.names (code_point INT, name STRING);
INSERT INTO demo.names SELECT code_point, name FROM demo.characters;
CREATE TABLE demo.encodings (code_point INT, utf8 STRING);
INSERT INTO demo.encodings SELECT code_point, utf8 FROM default_catalog.default_database.part_1 UNION ALL SELECT code_point, utf8 FROM default_catalog.default_database.part_2 UNION ALL SELECT code_point, utf8 FROM default_catalog.default_database.part_3;
SELECT 'rows=' || CAST(COUNT(*) AS STRING) FROM demo.characters;
SELECT 'with_utf8=' || CAST(COUNT(utf8) AS STRING) FROM demo.characters;
SELECT 'partitions=' || CAST(COUNT(*) AS STRING) FROM demo.`characters$partitions`;
SELECT 'snapshots=' || CAST(COUNT(*) AS STRING) FROM demo.`characters$snapshots`;
SQL
} > "$work/load.in"
sql load < "$work/load.in"
say "Stock Paimon made demo.characters (partitioned by general category; column utf8 was added before the last commit), demo.names and demo.encodings."
check "rows in demo.characters" "$rows" "$(answer load rows)"
check "rows with the new column" "$(expected part_4_rows)" "$(answer load with_utf8)"
check "partitions" "$(expected categories)" "$(answer load partitions)"
check "snapshots" 4 "$(answer load snapshots)"
detail "data files: $(file_count "$characters") in demo.characters, $(file_count "$names") in demo.names"

# --- the conversions ------------------------------------------------------------------------------

data_files "$characters" > "$work/characters.before"
data_files "$names" > "$work/names.before"
all_files "$characters" > "$work/dry-run.before"

enable_characters() {
    local output="$1"
    shift
    run_to "$output" "$FLINK_HOME/bin/flink" run "$action_jar" enable_data_evolution \
        --warehouse "file://$warehouse" --database demo --table characters "$@" \
        || { cat "$output" >&2; fail "flink run ... enable_data_evolution $* ended with an error."; }
}

say "Dry run: flink run $(basename "$action_jar") enable_data_evolution --database demo --table characters --dry_run"
enable_characters "$work/dry-run.out" --dry_run
grep '^Dry run\.' "$work/dry-run.out" | sed 's/^/        /' || fail "the dry run did not say what it would do, see dry-run.out."
all_files "$characters" | cmp -s - "$work/dry-run.before" || fail "the dry run changed files of demo.characters."
detail "No file of the table changed."

say "Conversion: the same without --dry_run"
enable_characters "$work/convert.out"
grep "^Success\. Enabled data evolution on table 'demo\.characters'" "$work/convert.out" | sed 's/^/        /' \
    || fail "the conversion did not report success, see convert.out."
data_files "$characters" | cmp -s - "$work/characters.before" || fail "the conversion changed data files of demo.characters."
detail "All $(file_count "$characters") data files are byte for byte as they were."

say "Conversion of the second table from SQL: CALL sys.enable_data_evolution('demo.names')"
sql convert-names << 'SQL'
USE CATALOG stock;
CALL sys.enable_data_evolution('demo.names');
SELECT 'rows=' || CAST(COUNT(*) AS STRING) FROM demo.names;
SELECT 'ids=' || CAST(COUNT(DISTINCT _ROW_ID) AS STRING) || ' ' || CAST(MIN(_ROW_ID) AS STRING) || '..' || CAST(MAX(_ROW_ID) AS STRING) FROM demo.`names$row_tracking`;
SQL
grep -o "Success\. Enabled data evolution on table 'demo\.names'[^|]*[^| ]" "$work/convert-names.out" | sed 's/^/        /' \
    || fail "the procedure did not report success, see convert-names.out."
data_files "$names" | cmp -s - "$work/names.before" || fail "the conversion changed data files of demo.names."
check "rows in demo.names" "$rows" "$(answer convert-names rows)"
check "row ids in demo.names (how many, which)" "$rows 0..$((rows - 1))" "$(answer convert-names ids)"

# --- what the tables can do now ---------------------------------------------------------------------

say "Filling the column utf8 of the older rows with stock Paimon's data_evolution_merge_into, then reading back by _ROW_ID."
sql merge << 'SQL'
USE CATALOG stock;
CALL sys.data_evolution_merge_into('demo.characters', 'T', '', 'demo.encodings', 'T.code_point = encodings.code_point', 'utf8 = encodings.utf8', 2);
SELECT 'rows=' || CAST(COUNT(*) AS STRING) FROM demo.characters;
SELECT 'with_utf8=' || CAST(COUNT(utf8) AS STRING) FROM demo.characters;
SELECT 'utf8_bytes=' || CAST(SUM(CHAR_LENGTH(utf8)) / 2 AS STRING) FROM demo.characters;
SELECT 'named=' || CAST(COUNT(*) AS STRING) FROM demo.characters c JOIN demo.names n ON c.code_point = n.code_point AND c.name = n.name;
SELECT 'ids=' || CAST(COUNT(DISTINCT _ROW_ID) AS STRING) || ' ' || CAST(MIN(_ROW_ID) AS STRING) || '..' || CAST(MAX(_ROW_ID) AS STRING) FROM demo.`characters$row_tracking`;
SELECT 'euro=' || name || ' ' || utf8 || ' _ROW_ID ' || CAST(_ROW_ID AS STRING) FROM demo.`characters$row_tracking` WHERE code_point = 8364;
SQL
check "rows in demo.characters" "$rows" "$(answer merge rows)"
check "rows with utf8 ($filled_later of them merged just now)" "$rows" "$(answer merge with_utf8)"
check "bytes that utf8 names" "$(expected utf8_bytes)" "$(answer merge utf8_bytes)"
check "names that are still those of demo.names" "$rows" "$(answer merge named)"
check "row ids in demo.characters (how many, which)" "$rows 0..$((rows - 1))" "$(answer merge ids)"
euro="$(answer merge euro)"
case "$euro" in
    "EURO SIGN E282AC _ROW_ID "*) detail "one row, as an example: $euro" ;;
    *) fail "the row of U+20AC should be EURO SIGN with E282AC, but is '${euro:-missing}'." ;;
esac
data_files "$characters" > "$work/characters.after"
lost="$(LC_ALL=C comm -23 "$work/characters.before" "$work/characters.after")"
[ -z "$lost" ] || fail "the merge removed or changed data files that were there before: $lost"
detail "The merge added $(($(wc -l < "$work/characters.after") - $(wc -l < "$work/characters.before"))) small files with the one column and left all others alone."

say "Done. Two tables converted in place, every count right. The tables are in $warehouse, the logs in $work."
