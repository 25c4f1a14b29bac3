package dev.paimoninplace.damage;

import dev.paimoninplace.testing.TestTable;
import dev.paimoninplace.verify.DataEvolutionVerification;
import dev.paimoninplace.verify.VerificationReport;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;

/** Verifies table db.t of a warehouse, in a process of its own; prints name=value lines. */
public final class VerifyProcess {

    private VerifyProcess() {}

    public static void main(String[] args) throws Exception {
        try (Catalog catalog = TestTable.catalog(Path.of(args[0]))) {
            VerificationReport report =
                    DataEvolutionVerification.of(catalog, Identifier.create("db", "t"))
                            .withThreads(2)
                            .run();
            System.out.println("files=" + report.files());
            System.out.println("counts=" + report.counts());
            System.out.println("listed=" + report.findings().size());
        }
        long peakBytes =
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .map(MemoryPoolMXBean::getPeakUsage)
                        .mapToLong(usage -> usage.getUsed())
                        .sum();
        System.out.println("peak_heap_mib=" + peakBytes / (1024 * 1024));
    }
}
