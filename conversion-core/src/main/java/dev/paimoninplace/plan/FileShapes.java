package dev.paimoninplace.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.types.BlobType;
import org.apache.paimon.types.VectorType;

/** Tells which columns a data file holds. Safe for use by many threads. */
public final class FileShapes {

    /** What part of its rows a file holds. */
    public enum Shape {
        /** Every column that its schema keeps in ordinary data files. */
        FULL,
        /** Some of them: an update. */
        PARTIAL,
        /** A blob or vector column in a file of its own. */
        DEDICATED
    }

    private final SchemaManager schemas;
    private final Map<Long, TableSchema> cache = new ConcurrentHashMap<>();

    public FileShapes(TableHandle handle) {
        this(handle.schemas());
    }

    public FileShapes(SchemaManager schemas) {
        this.schemas = schemas;
    }

    public Shape of(DataFileMeta file) {
        if (BlobFileFormat.isBlobFile(file.fileName())
                || VectorType.isVectorStoreFile(file.fileName())) {
            return Shape.DEDICATED;
        }
        List<String> written = file.writeCols();
        if (written == null) {
            return Shape.FULL;
        }
        Set<String> present = new HashSet<>(written);
        boolean all =
                cache.computeIfAbsent(file.schemaId(), schemas::schema).fields().stream()
                        .filter(field -> !BlobType.isBlobFileField(field.type()))
                        .filter(field -> !(field.type() instanceof VectorType))
                        .allMatch(field -> present.contains(field.name()));
        return all ? Shape.FULL : Shape.PARTIAL;
    }

    /** Whether the row ids are a column inside the file. */
    public static boolean idsInside(DataFileMeta file) {
        List<String> written = file.writeCols();
        return written != null && written.contains(SpecialFields.ROW_ID.name());
    }
}
