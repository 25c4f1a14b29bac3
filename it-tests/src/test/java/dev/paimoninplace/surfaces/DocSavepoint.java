package dev.paimoninplace.surfaces;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.util.StringUtils;

/** The savepoint that the documentation speaks of: that of one job with Paimon's own sink. */
final class DocSavepoint {

    private static final String OPERATOR_ID = "6d9ba1a3c0e74b5e8f0a2b4c6d8e0f12";
    private static final String COMMIT_USER = "0b1c7c0e-job";

    private DocSavepoint() {}

    /** Writes its metadata into a folder. */
    static void write(Path folder) throws IOException {
        OperatorState committer =
                new OperatorState(
                        "Global Committer : orders",
                        null,
                        new OperatorID(StringUtils.hexStringToByte(OPERATOR_ID)),
                        1,
                        1);
        committer.putState(
                0, OperatorSubtaskState.builder().setManagedOperatorState(state()).build());
        CheckpointMetadata metadata = new CheckpointMetadata(7L, List.of(committer), List.of());
        try (OutputStream out = Files.newOutputStream(folder.resolve("_metadata"))) {
            Checkpoints.storeCheckpointMetadata(metadata, out);
        }
    }

    private static OperatorStateHandle state() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StringSerializer.INSTANCE.serialize(COMMIT_USER, new DataOutputViewStreamWrapper(bytes));
        return new OperatorStreamStateHandle(
                Map.of(
                        "commit_user_state",
                        new StateMetaInfo(new long[] {0}, OperatorStateHandle.Mode.UNION),
                        "streaming_committer_raw_states",
                        new StateMetaInfo(new long[0], OperatorStateHandle.Mode.SPLIT_DISTRIBUTE)),
                new ByteStreamStateHandle("state", bytes.toByteArray()));
    }
}
