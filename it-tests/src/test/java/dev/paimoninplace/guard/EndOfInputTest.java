package dev.paimoninplace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.CommittableTypeInfo;
import org.apache.paimon.table.sink.CommitMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers of a bounded source that end one after the other, around a checkpoint. What a writer
 * leaves at its end has one identifier for all writers, and Paimon commits an identifier once.
 */
final class EndOfInputTest {

    private static final long END = Long.MAX_VALUE;
    private static final int STEP = 500;

    @TempDir Path warehouse;
    private TestTable table;

    @BeforeEach
    void createTable() {
        table = TestTable.partitioned(TestTable.guardedCatalog(warehouse), "t");
    }

    @Test
    void keepsTheRowsOfAWriterThatEndsBeforeACheckpointIsKnownToBeComplete() throws Exception {
        try (OneInputStreamOperatorTestHarness<Committable, Committable> committer = committer()) {
            give(committer, 1, 0);
            give(committer, END, STEP);
            committer.snapshot(1, 1);
            give(committer, END, 2 * STEP);
            committer.endInput();
            committer.notifyOfCompletedCheckpoint(1);
            assertEquals(STEP, table.rows().size());

            committer.snapshot(2, 2);
            committer.notifyOfCompletedCheckpoint(2);

            assertEquals(3 * STEP, table.rows().size());
        }
    }

    @Test
    void commitsTheEndWithTheCheckpointThatHoldsIt() throws Exception {
        try (OneInputStreamOperatorTestHarness<Committable, Committable> committer = committer()) {
            give(committer, 1, 0);
            committer.snapshot(1, 1);
            give(committer, END, STEP);
            give(committer, END, 2 * STEP);
            committer.endInput();
            committer.snapshot(2, 2);
            committer.notifyOfCompletedCheckpoint(1);
            assertEquals(STEP, table.rows().size());

            committer.notifyOfCompletedCheckpoint(2);

            assertEquals(3 * STEP, table.rows().size());
        }
    }

    private OneInputStreamOperatorTestHarness<Committable, Committable> committer()
            throws Exception {
        OneInputStreamOperatorTestHarness<Committable, Committable> harness =
                new OneInputStreamOperatorTestHarness<>(
                        new GuardedCommitterOperatorFactory(
                                true,
                                "job",
                                new GuardedCommitterFactory(new PlannedTable(table.load()), null),
                                new PendingCommittables(false),
                                null),
                        new CommittableTypeInfo()
                                .createSerializer(new ExecutionConfig().getSerializerConfig()));
        harness.setup();
        harness.open();
        return harness;
    }

    /** What a writer of {@link #STEP} rows from a number on gives the committer. */
    private void give(
            OneInputStreamOperatorTestHarness<Committable, Committable> committer,
            long checkpoint,
            int from)
            throws Exception {
        for (CommitMessage message :
                TestTable.prepareAppend(table.load(), from, from + STEP, i -> "p0")) {
            committer.processElement(new Committable(checkpoint, message), 0);
        }
    }
}
