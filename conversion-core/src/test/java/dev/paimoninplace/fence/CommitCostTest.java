package dev.paimoninplace.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paimoninplace.conversion.DataEvolutionConversion;
import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.StreamTableCommit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a commit takes with the fence and without it; printed, since machines differ. */
final class CommitCostTest {

    private static final int COMMITS = "long".equals(System.getProperty("suite")) ? 400 : 60;
    private static final int WARM_UP = COMMITS / 4;

    @TempDir Path warehouse;

    @Test
    void ofAPlainTable() throws Exception {
        measure("plain", false);
    }

    @Test
    void ofAConvertedTable() throws Exception {
        measure("converted", true);
    }

    /** One table, committed to in turns through both catalogs, so that both see the same. */
    private void measure(String kind, boolean convert) throws Exception {
        try (Catalog stock = TestTable.catalog(warehouse);
                Catalog guarded = TestTable.guardedCatalog(warehouse)) {
            TestTable table = TestTable.unpartitioned(stock, "t", "write-only", "true");
            table.append(0, 20);
            if (convert) {
                DataEvolutionConversion.of(stock, table.identifier()).run();
            }
            List<Long> stockNanos = new ArrayList<>();
            List<Long> guardedNanos = new ArrayList<>();
            FileStoreTable bare = table.load();
            FileStoreTable fenced = TestTable.existing(guarded, table.identifier()).load();
            try (StreamTableCommit one = commit(bare, "stock");
                    StreamTableCommit other = commit(fenced, "guarded")) {
                for (int i = 0; i < COMMITS; i++) {
                    stockNanos.add(commitNanos(one, bare, i));
                    guardedNanos.add(commitNanos(other, fenced, i));
                }
            }

            double stockMillis = medianMillis(stockNanos);
            double guardedMillis = medianMillis(guardedNanos);
            System.out.printf(
                    "commit to a %s table, median of %d: stock %.2f ms, guarded %.2f ms, ratio"
                            + " %.2f%n",
                    kind,
                    COMMITS - WARM_UP,
                    stockMillis,
                    guardedMillis,
                    guardedMillis / stockMillis);
            assertEquals(
                    20L + 2 * COMMITS,
                    table.load().latestSnapshot().orElseThrow().totalRecordCount());
        }
    }

    private static StreamTableCommit commit(FileStoreTable table, String user) {
        return table.newStreamWriteBuilder().withCommitUser(user).newCommit();
    }

    private static long commitNanos(StreamTableCommit commit, FileStoreTable table, int round) {
        List<CommitMessage> messages = TestTable.prepareAppend(table, round, round + 1, i -> "p0");
        long start = System.nanoTime();
        commit.commit(round, messages);
        return System.nanoTime() - start;
    }

    private static double medianMillis(List<Long> nanos) {
        List<Long> warm = new ArrayList<>(nanos.subList(WARM_UP, nanos.size()));
        Collections.sort(warm);
        return warm.get(warm.size() / 2) / 1e6;
    }
}
