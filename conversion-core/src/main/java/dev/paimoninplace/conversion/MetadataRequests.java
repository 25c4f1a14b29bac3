package dev.paimoninplace.conversion;

/**
 * Requests to the file system that holds a table, as an object store would see them.
 *
 * @param list listings of a folder
 * @param head looks at one path: whether it exists, how large it is
 * @param get files opened; further ranges of the same file are not counted apart
 * @param put files written; a rename counts as one, and as one deletion
 * @param delete files deleted
 */
public record MetadataRequests(long list, long head, long get, long put, long delete) {

    public static final MetadataRequests NONE = new MetadataRequests(0, 0, 0, 0, 0);

    /** Both together. */
    public MetadataRequests plus(MetadataRequests other) {
        return new MetadataRequests(
                list + other.list,
                head + other.head,
                get + other.get,
                put + other.put,
                delete + other.delete);
    }

    public long total() {
        return list + head + get + put + delete;
    }

    @Override
    public String toString() {
        return String.format(
                "%d list, %d head, %d get, %d put, %d delete", list, head, get, put, delete);
    }
}
