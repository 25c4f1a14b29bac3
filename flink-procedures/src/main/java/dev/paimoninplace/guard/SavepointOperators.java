package dev.paimoninplace.guard;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.paimon.flink.sink.state.CoordinatorStateSerializer;

/**
 * Finds the operators of Paimon sinks in the metadata of a savepoint or a retained checkpoint, by
 * the names of their states ({@code CommitterOperator}, {@code RestoreCommittableStateManager},
 * {@code CoordinatorCommittingRowDataStoreWriteOperator}).
 */
final class SavepointOperators {

    private static final String METADATA = "_metadata";
    private static final String COMMITTER_STATE = "streaming_committer_raw_states";
    private static final String COMMIT_USER_STATE = "commit_user_state";
    private static final String WRITER_STATE = "pending_committable_state";

    private SavepointOperators() {}

    /**
     * @param location folder of the savepoint, or its file {@code _metadata}
     * @return by role and name
     * @throws IOException if there is no savepoint or it cannot be read
     */
    static List<SavepointOperator> read(String location) throws IOException {
        CheckpointMetadata metadata = metadata(location);
        List<SavepointOperator> found = new ArrayList<>();
        for (OperatorState operator : metadata.getOperatorStates()) {
            sinkOperator(operator).ifPresent(found::add);
        }
        found.sort(
                Comparator.comparing(SavepointOperator::role)
                        .thenComparing(SavepointOperator::name)
                        .thenComparing(SavepointOperator::id));
        return found;
    }

    private static CheckpointMetadata metadata(String location) throws IOException {
        Path path = new Path(location);
        FileSystem files = path.getFileSystem();
        Path file = files.getFileStatus(path).isDir() ? new Path(path, METADATA) : path;
        try (DataInputStream in = new DataInputStream(files.open(file))) {
            return Checkpoints.loadCheckpointMetadata(
                    in, SavepointOperators.class.getClassLoader(), location);
        }
    }

    private static Optional<SavepointOperator> sinkOperator(OperatorState operator)
            throws IOException {
        for (OperatorSubtaskState subtask : operator.getStates()) {
            for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
                if (handle.getStateNameToPartitionOffsets().containsKey(COMMITTER_STATE)) {
                    return Optional.of(describe("committer", operator, commitUser(handle)));
                }
                if (handle.getStateNameToPartitionOffsets().containsKey(WRITER_STATE)) {
                    return Optional.of(describe("writer", operator, coordinatorUser(operator)));
                }
            }
        }
        return Optional.empty();
    }

    private static SavepointOperator describe(
            String role, OperatorState operator, String commitUser) {
        return new SavepointOperator(
                role,
                operator.getOperatorID().toHexString(),
                operator.getOperatorName().orElse(""),
                commitUser);
    }

    private static String coordinatorUser(OperatorState operator) throws IOException {
        ByteStreamStateHandle state = operator.getCoordinatorState();
        if (state == null) {
            return "";
        }
        return SimpleVersionedSerialization.readVersionAndDeSerialize(
                        new CoordinatorStateSerializer(), state.getData())
                .getCommitUser();
    }

    private static String commitUser(OperatorStateHandle handle) throws IOException {
        OperatorStateHandle.StateMetaInfo state =
                handle.getStateNameToPartitionOffsets().get(COMMIT_USER_STATE);
        if (state == null || state.getOffsets().length == 0) {
            return "";
        }
        try (FSDataInputStream in = handle.openInputStream()) {
            in.seek(state.getOffsets()[0]);
            return StringSerializer.INSTANCE.deserialize(new DataInputViewStreamWrapper(in));
        }
    }
}
