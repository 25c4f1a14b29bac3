package dev.paimoninplace.verify;

import dev.paimoninplace.plan.TableHandle;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.SimpleStatsExtractor;
import org.apache.paimon.format.parquet.ParquetUtil;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.BinaryManifestEntry;
import org.apache.paimon.options.Options;
import org.apache.paimon.shade.org.apache.parquet.column.Encoding;
import org.apache.paimon.shade.org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.paimon.shade.org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.paimon.shade.org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.paimon.statistics.SimpleColStatsCollector;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FileStorePathFactory;

/** Looks at a data file itself: presence, size, footer. Safe for use by many threads. */
final class DataFileCheck {

    private final FileIO fileIO;
    private final FileStorePathFactory paths;
    private final Options options;
    private final Findings findings;

    DataFileCheck(TableHandle handle, Findings findings) {
        this.fileIO = handle.table().fileIO();
        this.paths = handle.table().store().pathFactory();
        this.options = Options.fromMap(handle.table().options());
        this.findings = findings;
    }

    void check(BinaryManifestEntry entry) {
        DataFileMeta file = entry.file();
        Path path = paths.createDataFilePathFactory(entry.partition(), entry.bucket()).toPath(file);
        try {
            long size = fileIO.getFileSize(path);
            if (size != file.fileSize()) {
                report(
                        FindingCode.FILE_SIZE_WRONG,
                        entry,
                        "it has " + size + " bytes instead of " + file.fileSize());
                return;
            }
            footer(entry, path);
        } catch (FileNotFoundException e) {
            report(FindingCode.FILE_MISSING, entry, "there is no " + path);
        } catch (IOException | RuntimeException e) {
            report(FindingCode.FILE_UNREADABLE, entry, "its footer cannot be read: " + e);
        }
    }

    private void footer(BinaryManifestEntry entry, Path path) throws IOException {
        DataFileMeta file = entry.file();
        OptionalLong rows =
                file.fileFormat().equals("parquet") ? parquet(entry, path) : rowCount(file, path);
        if (rows.isPresent() && rows.getAsLong() != file.rowCount()) {
            report(
                    FindingCode.ROW_COUNT_WRONG,
                    entry,
                    "it has " + rows.getAsLong() + " rows instead of " + file.rowCount());
        }
    }

    private OptionalLong rowCount(DataFileMeta file, Path path) throws IOException {
        Optional<SimpleStatsExtractor> extractor;
        try {
            extractor =
                    FileFormat.fromIdentifier(file.fileFormat(), options)
                            .createStatsExtractor(
                                    RowType.of(), new SimpleColStatsCollector.Factory[0]);
        } catch (RuntimeException e) {
            // Formats of dedicated files (blob, vector) count no rows.
            return OptionalLong.empty();
        }
        if (extractor.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(
                    extractor
                            .get()
                            .extractWithFileInfo(fileIO, path, file.fileSize())
                            .getRight()
                            .getRowCount());
        } catch (UnsupportedOperationException e) {
            // Blob files have an extractor, but no number of rows to extract.
            return OptionalLong.empty();
        }
    }

    /** Paimon 2.0.0 returns other rows than asked for when pages are delta-encoded. */
    private OptionalLong parquet(BinaryManifestEntry entry, Path path) throws IOException {
        DataFileMeta file = entry.file();
        try (ParquetFileReader reader =
                ParquetUtil.getParquetReader(fileIO, path, file.fileSize(), options)) {
            Set<String> delta = new TreeSet<>();
            for (BlockMetaData block : reader.getFooter().getBlocks()) {
                for (ColumnChunkMetaData column : block.getColumns()) {
                    column.getEncodings().stream()
                            .map(Encoding::name)
                            .filter(name -> name.startsWith("DELTA_"))
                            .forEach(delta::add);
                }
            }
            if (!delta.isEmpty()) {
                report(FindingCode.PARQUET_ENCODING, entry, "its pages are encoded as " + delta);
            }
            return OptionalLong.of(reader.getRecordCount());
        }
    }

    private void report(FindingCode code, BinaryManifestEntry entry, String detail) {
        findings.add(
                Finding.of(
                        code,
                        Optional.of(entry.file().fileName()),
                        Optional.of(paths.getPartitionString(entry.partition())),
                        Optional.empty(),
                        detail));
    }
}
