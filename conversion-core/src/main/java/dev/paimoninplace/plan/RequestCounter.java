package dev.paimoninplace.plan;

import dev.paimoninplace.conversion.MetadataRequests;
import java.io.Serializable;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of one run. Safe for use by many threads. */
public final class RequestCounter implements Serializable {

    private static final long serialVersionUID = 1L;

    final LongAdder lists = new LongAdder();
    final LongAdder heads = new LongAdder();
    final LongAdder gets = new LongAdder();
    final LongAdder puts = new LongAdder();
    final LongAdder deletes = new LongAdder();
    final LongAdder manifestReads = new LongAdder();

    /** How often a manifest file was opened so far; manifest lists are not counted. */
    public long manifestReads() {
        return manifestReads.sum();
    }

    /** What was counted so far. */
    public MetadataRequests requests() {
        return new MetadataRequests(
                lists.sum(), heads.sum(), gets.sum(), puts.sum(), deletes.sum());
    }
}
