#!/usr/bin/env bash
# Usage: jobmanager.sh start|start-foreground [-D key=value]... | stop
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/config.sh"

action="${1:-}"
case "$action" in
    start | start-foreground)
        shift
        mapfile -t log_opts < <(log_options standalonesession log4j.properties)
        launch "$action" standalonesession standalonesession "$JAVA" -Xmx448m -XX:+UseSerialGC "${JAVA_OPTS[@]}" "${log_opts[@]}" \
            -cp "$(class_path)" \
            org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint \
            --configDir "$FLINK_CONF_DIR" --executionMode cluster "$@"
        ;;
    stop) stop_daemon standalonesession ;;
    *)
        echo "Usage: jobmanager.sh start|start-foreground [-D key=value]... | stop" >&2
        exit 2
        ;;
esac
