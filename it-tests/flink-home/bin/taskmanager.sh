#!/usr/bin/env bash
# Usage: taskmanager.sh start|start-foreground [-D key=value]... | stop
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/config.sh"

action="${1:-}"
case "$action" in
    start | start-foreground)
        shift
        class_path="$(class_path)"
        resources="$("$JAVA" "${JAVA_OPTS[@]}" -XX:TieredStopAtLevel=1 -cp "$class_path" \
            org.apache.flink.runtime.util.bash.BashJavaUtils GET_TM_RESOURCE_PARAMS \
            --configDir "$FLINK_CONF_DIR" "$@" 2> "$FLINK_LOG_DIR/flink-taskexecutor-resources.err" \
            | sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p')"
        [ -n "$resources" ] || {
            echo "Cannot start a TaskManager: its memory could not be computed. See $FLINK_LOG_DIR/flink-taskexecutor-resources.err." >&2
            exit 1
        }
        read -r -a jvm_opts <<< "$(sed -n 1p <<< "$resources")"
        read -r -a dynamic_opts <<< "$(sed -n 2p <<< "$resources")"
        log_name="taskexecutor-$(daemon_count taskexecutor)"
        mapfile -t log_opts < <(log_options "$log_name" log4j.properties)
        launch "$action" taskexecutor "$log_name" "$JAVA" -XX:+UseG1GC "${jvm_opts[@]}" "${JAVA_OPTS[@]}" "${log_opts[@]}" \
            -cp "$class_path" org.apache.flink.runtime.taskexecutor.TaskManagerRunner \
            --configDir "$FLINK_CONF_DIR" "${dynamic_opts[@]}" "$@"
        ;;
    stop) stop_daemon taskexecutor ;;
    *)
        echo "Usage: taskmanager.sh start|start-foreground [-D key=value]... | stop" >&2
        exit 2
        ;;
esac
