package dev.paimoninplace.guard;

import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.FlinkTableFactory;
import org.apache.paimon.flink.source.FlinkTableSource;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;

/** Paimon's tables in Flink, with the guarded sink for append tables without buckets. */
final class GuardedTableFactory extends FlinkTableFactory {

    GuardedTableFactory(FlinkCatalog catalog) {
        super(catalog);
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        DynamicTableSink stock = super.createDynamicTableSink(context);
        // The stock source is built from the same table, hints and job options included, and the
        // only one of the two that tells.
        DynamicTableSource source = super.createDynamicTableSource(context);
        if (source instanceof FlinkTableSource withTable && isGuarded(withTable.getTable())) {
            return new GuardedTableSink(
                    context.getObjectIdentifier(), withTable.getTable(), context);
        }
        return stock;
    }

    private static boolean isGuarded(Table table) {
        return table instanceof FileStoreTable fileStore
                && fileStore.primaryKeys().isEmpty()
                && fileStore.bucketMode() == BucketMode.BUCKET_UNAWARE;
    }
}
