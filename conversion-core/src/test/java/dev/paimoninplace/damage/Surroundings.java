package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.CONSUMER_BEFORE;
import static dev.paimoninplace.verify.FindingCode.ICEBERG_METADATA;
import static dev.paimoninplace.verify.FindingCode.PARQUET_ENCODING;
import static dev.paimoninplace.verify.FindingCode.STRAY_FILE;

import dev.paimoninplace.verify.Level;
import java.util.List;
import org.apache.paimon.consumer.Consumer;
import org.apache.paimon.table.FileStoreTable;

/** Options, consumers and files around a converted table. */
final class Surroundings {

    private static final String ICEBERG = "metadata.iceberg.storage";

    static final List<DamageCase> CASES =
            List.of(
                    new DamageCase("nothing at all", DamagedTable::convert).isSkipped(),
                    new DamageCase(
                                    "Iceberg metadata and back",
                                    t -> {
                                        t.convert();
                                        t.table().setOption(ICEBERG, "table-location");
                                        t.append(1000, 1200);
                                        t.table().resetOption(ICEBERG);
                                    })
                            .isSkipped(),
                    new DamageCase(
                                    "Iceberg metadata switched on, and a stale append",
                                    t -> {
                                        FileStoreTable job = t.open();
                                        t.convert();
                                        t.table().setOption(ICEBERG, "table-location");
                                        t.pendingAppend(job, 1000, 1200).commit();
                                    })
                            .finds(STRAY_FILE, ICEBERG_METADATA)
                            .isRefusedUntil(
                                    "ICEBERG_METADATA", t -> t.table().resetOption(ICEBERG)),
                    new DamageCase(
                                    "files in the second version of Parquet",
                                    t -> {
                                        t.convert();
                                        t.table().setOption("parquet.writer.version", "v2");
                                        t.append(1000, 3000);
                                    })
                            .at(Level.FILES)
                            .finds(PARQUET_ENCODING)
                            .isSkipped(),
                    new DamageCase(
                                    "a consumer that waits at a snapshot before the conversion",
                                    t -> {
                                        t.open()
                                                .consumerManager()
                                                .resetConsumer("c", new Consumer(1));
                                        t.convert();
                                    })
                            .finds(CONSUMER_BEFORE)
                            .isSkipped());

    private Surroundings() {}
}
