# Sourced by the scripts beside it. FLINK_CONF_DIR, FLINK_LOG_DIR and FLINK_PID_DIR mean what they
# mean in Flink's own scripts, so that several clusters can run from one home.
set -euo pipefail

FLINK_HOME="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
FLINK_CONF_DIR="${FLINK_CONF_DIR:-$FLINK_HOME/conf}"
FLINK_LOG_DIR="${FLINK_LOG_DIR:-$FLINK_HOME/log}"
FLINK_PID_DIR="${FLINK_PID_DIR:-$FLINK_HOME/run}"
export FLINK_HOME FLINK_CONF_DIR FLINK_LOG_DIR FLINK_PID_DIR
export FLINK_LIB_DIR="$FLINK_HOME/lib" FLINK_OPT_DIR="$FLINK_HOME/opt"
mkdir -p "$FLINK_LOG_DIR" "$FLINK_PID_DIR"

JAVA="java"
[ -z "${JAVA_HOME:-}" ] || JAVA="$JAVA_HOME/bin/java"

# shellcheck disable=SC2034,SC2207 # used by the scripts; the options are separated by blanks
JAVA_OPTS=($(sed -n 's/^env\.java\.opts\.all: *//p' "$FLINK_CONF_DIR/config.yaml") ${FLINK_ENV_JAVA_OPTS:-})

# Flink's jars come first: the Paimon jar carries copies of some Flink types.
class_path() {
    local jar path=""
    for jar in "$FLINK_LIB_DIR"/flink-*.jar; do path="$path:$jar"; done
    for jar in "$FLINK_LIB_DIR"/*.jar; do
        case "$jar" in
            "$FLINK_LIB_DIR"/flink-*) ;;
            *) path="$path:$jar" ;;
        esac
    done
    echo "${path#:}"
}

# log_options <name> <log4j file>
log_options() {
    echo "-Dlog.file=$FLINK_LOG_DIR/flink-$1.log"
    echo "-Dlog4j.configurationFile=file:$FLINK_CONF_DIR/$2"
}

# launch start|start-foreground <name> <log name> <command...>: a daemon, whose pid is added to the file
# that Flink's own scripts would use; or this process itself, as a container wants it.
launch() {
    local action="$1" name="$2" log_name="$3"
    shift 3
    if [ "$action" = start-foreground ]; then
        exec "$@" > "$FLINK_LOG_DIR/flink-$log_name.out" 2>&1 < /dev/null
    fi
    nohup "$@" > "$FLINK_LOG_DIR/flink-$log_name.out" 2>&1 < /dev/null &
    echo "$!" >> "$(pid_file "$name")"
    echo "Started $name (pid $!, log $FLINK_LOG_DIR/flink-$log_name.log)." >&2
}

# stop_daemon <name>: ends the one that was started last.
stop_daemon() {
    local name="$1" pid_file pid rest waited
    pid_file="$(pid_file "$name")"
    if [ ! -s "$pid_file" ]; then
        echo "No $name to stop." >&2
        return 0
    fi
    pid="$(tail -n 1 "$pid_file")"
    rest="$(sed '$d' "$pid_file")"
    kill "$pid" 2> /dev/null || true
    for ((waited = 0; waited < 100; waited++)); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.1
    done
    ! kill -9 "$pid" 2> /dev/null || echo "Killed $name, pid $pid: it did not end within 10 seconds." >&2
    if [ -n "$rest" ]; then echo "$rest" > "$pid_file"; else rm -f "$pid_file"; fi
    echo "Stopped $name (pid $pid)." >&2
}

pid_file() {
    echo "$FLINK_PID_DIR/flink-${FLINK_IDENT_STRING:-${USER:-flink}}-$1.pid"
}

# daemon_count <name>: how many of them were started and not stopped.
daemon_count() {
    local pid_file
    pid_file="$(pid_file "$1")"
    if [ -f "$pid_file" ]; then wc -l < "$pid_file" | tr -d ' '; else echo 0; fi
}
