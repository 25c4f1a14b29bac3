package dev.paimoninplace.plan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.shade.org.apache.avro.file.DataFileConstants;
import org.apache.paimon.shade.org.apache.avro.file.DataFileStream;
import org.apache.paimon.shade.org.apache.avro.generic.GenericDatumReader;

/** A manifest read as bytes, entry by entry. */
public final class AvroManifest implements Closeable {

    private final DataFileStream<Object> in;
    private final AvroEntryLayout entry = new AvroEntryLayout();
    private byte[] block = new byte[0];
    private int position;
    private int end;

    private AvroManifest(DataFileStream<Object> in) {
        this.in = in;
    }

    /**
     * Opens a manifest.
     *
     * @return empty when it is written with another schema than Paimon 2.0's
     * @throws IOException also when it is not in Avro
     */
    public static Optional<AvroManifest> open(FileIO fileIO, Path path) throws IOException {
        SeekableInputStream file = fileIO.newInputStream(path);
        DataFileStream<Object> in;
        try {
            in = new DataFileStream<>(file, new GenericDatumReader<>());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        if (in.getSchema().equals(AvroEntryLayout.SCHEMA)) {
            return Optional.of(new AvroManifest(in));
        }
        in.close();
        return Optional.empty();
    }

    /** Avro's name of the compression. */
    public String codec() {
        return String.valueOf(in.getMetaString(DataFileConstants.CODEC));
    }

    /** Reads the next entry into {@link #entry}; false at the end. */
    public boolean next() throws IOException {
        while (position == end) {
            if (!in.hasNext()) {
                return false;
            }
            ByteBuffer next = in.nextBlock();
            block = next.array();
            position = next.arrayOffset() + next.position();
            end = next.arrayOffset() + next.limit();
        }
        position = entry.read(block, position);
        return true;
    }

    /** The entry read last; the same instance each time. */
    public AvroEntryLayout entry() {
        return entry;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
