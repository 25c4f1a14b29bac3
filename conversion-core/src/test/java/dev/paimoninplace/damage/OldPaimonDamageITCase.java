package dev.paimoninplace.damage;

import static dev.paimoninplace.verify.FindingCode.MANIFEST_RANGE_MISSING;
import static dev.paimoninplace.verify.FindingCode.NEXT_ROW_ID_FALLEN;
import static dev.paimoninplace.verify.FindingCode.NEXT_ROW_ID_MISSING;
import static dev.paimoninplace.verify.FindingCode.OLD_WRITER_COMMIT;
import static dev.paimoninplace.verify.FindingCode.PARTIAL_WITHOUT_ROW_ID;
import static dev.paimoninplace.verify.FindingCode.ROW_ID_BEYOND_NEXT;
import static dev.paimoninplace.verify.FindingCode.ROW_ID_OVERLAP;
import static dev.paimoninplace.verify.FindingCode.STRAY_FILE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paimoninplace.testing.OldPaimon;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Converted tables that an older Paimon, in a process of its own, writes afterwards. */
final class OldPaimonDamageITCase {

    /** Versions that know nothing of row ids; 0.8.0 cannot commit after a newer one at all. */
    private static final List<String> BEFORE_ROW_IDS =
            List.of("0.8.2", "0.9.0", "1.0.1", "1.1.1", "1.2.0");

    /** What the old version does. */
    enum Writes {
        AN_APPEND("append", Updates.NONE) {
            @Override
            DamageCase expect(DamageCase damage) {
                return damage.finds(
                                STRAY_FILE,
                                ROW_ID_BEYOND_NEXT,
                                NEXT_ROW_ID_MISSING,
                                MANIFEST_RANGE_MISSING,
                                OLD_WRITER_COMMIT)
                        .isRefusedUnlessAllowed("OLD_WRITER", Allow.OLD_WRITERS);
            }
        },
        MERGED_MANIFESTS("merge", Updates.NONE) {
            @Override
            DamageCase expect(DamageCase damage) {
                return damage.finds(STRAY_FILE, NEXT_ROW_ID_MISSING, OLD_WRITER_COMMIT)
                        .isRefusedUntil("ROW_IDS_DESTROYED", t -> t.rollBackTo(CONVERTED));
            }
        },
        AN_APPEND_TO_AN_UPDATED_TABLE("append", Updates.BEFORE) {
            @Override
            DamageCase expect(DamageCase damage) {
                return AN_APPEND.expect(damage);
            }
        },
        MERGED_MANIFESTS_OF_AN_UPDATED_TABLE("merge", Updates.BEFORE) {
            @Override
            DamageCase expect(DamageCase damage) {
                return damage.finds(
                                STRAY_FILE,
                                PARTIAL_WITHOUT_ROW_ID,
                                NEXT_ROW_ID_MISSING,
                                OLD_WRITER_COMMIT)
                        .isRefusedUntil("ROW_IDS_DESTROYED", t -> t.rollBackTo(UPDATED));
            }
        },
        AN_APPEND_BEFORE_A_NEW_ONE("append", Updates.NONE) {
            @Override
            DamageCase expect(DamageCase damage) {
                return damage.finds(
                                STRAY_FILE,
                                ROW_ID_OVERLAP,
                                ROW_ID_BEYOND_NEXT,
                                NEXT_ROW_ID_FALLEN,
                                MANIFEST_RANGE_MISSING,
                                OLD_WRITER_COMMIT)
                        .isRefusedUntil("ROW_ID_OVERLAP", t -> t.rollBackTo(CONVERTED));
            }
        };

        private enum Updates {
            NONE,
            BEFORE
        }

        private static final long CONVERTED = 4;
        private static final long UPDATED = 5;

        private final String command;
        private final Updates updates;

        Writes(String command, Updates updates) {
            this.command = command;
            this.updates = updates;
        }

        /** What comes of it when the version knows no row ids. */
        abstract DamageCase expect(DamageCase damage);

        DamageCase by(OldPaimon old, String version) {
            return new DamageCase(
                    name() + " by " + version,
                    t -> {
                        t.convert();
                        if (updates == Updates.BEFORE) {
                            t.update();
                        }
                        old.write(t.warehouse(), List.of(command, "1000", "1200", "2"));
                        t.expect(rows -> DamagedTable.add(rows, 1000, 1200));
                        if (this == AN_APPEND_BEFORE_A_NEW_ONE) {
                            t.append(2000, 2200);
                        }
                    });
        }
    }

    @TempDir Path warehouse;

    static Stream<Arguments> some() {
        return Stream.of(
                Arguments.of("1.2.0", Writes.AN_APPEND),
                Arguments.of("1.2.0", Writes.MERGED_MANIFESTS_OF_AN_UPDATED_TABLE),
                Arguments.of("1.3.1", Writes.MERGED_MANIFESTS_OF_AN_UPDATED_TABLE));
    }

    static Stream<Arguments> others() {
        Stream<Arguments> older =
                Stream.of("0.8.2", "0.9.0", "1.0.1", "1.1.1")
                        .flatMap(
                                version ->
                                        Stream.of(
                                                Arguments.of(version, Writes.AN_APPEND),
                                                Arguments.of(
                                                        version,
                                                        Writes
                                                                .MERGED_MANIFESTS_OF_AN_UPDATED_TABLE)));
        Stream<Arguments> others =
                Stream.of(
                        Arguments.of("1.2.0", Writes.MERGED_MANIFESTS),
                        Arguments.of("1.2.0", Writes.AN_APPEND_TO_AN_UPDATED_TABLE),
                        Arguments.of("1.2.0", Writes.AN_APPEND_BEFORE_A_NEW_ONE),
                        Arguments.of("1.3.1", Writes.AN_APPEND_BEFORE_A_NEW_ONE),
                        Arguments.of("1.4.2", Writes.AN_APPEND_BEFORE_A_NEW_ONE),
                        Arguments.of("1.4.2", Writes.MERGED_MANIFESTS_OF_AN_UPDATED_TABLE));
        return Stream.concat(older, others);
    }

    @ParameterizedTest(name = "{1} of Paimon {0}")
    @MethodSource("some")
    void whatAnOldPaimonDoesIsFoundAndMendedOrRefused(String version, Writes writes)
            throws Exception {
        run(version, writes);
    }

    @ParameterizedTest(name = "{1} of Paimon {0}")
    @MethodSource("others")
    @Tag("long")
    void whatAnyOldPaimonDoesIsFoundAndMendedOrRefused(String version, Writes writes)
            throws Exception {
        run(version, writes);
    }

    private void run(String version, Writes writes) throws Exception {
        Optional<OldPaimon> old = OldPaimon.of(version);
        assumeTrue(old.isPresent(), "paimon-bundle " + version + " cannot be resolved");
        DamageCase damage = writes.by(old.orElseThrow(), version);
        if (BEFORE_ROW_IDS.contains(version)) {
            CaseRun.run(writes.expect(damage), warehouse);
        } else if (version.equals("1.3.1")) {
            CaseRun.run(damage.finds(MANIFEST_RANGE_MISSING).isMended(), warehouse);
        } else {
            CaseRun.run(damage.isSkipped(), warehouse);
        }
    }
}
