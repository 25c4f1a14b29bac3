package dev.paimoninplace.guard;

import java.util.HashMap;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.paimon.flink.sink.FlinkSinkBuilder;
import org.apache.paimon.flink.sink.FlinkTableSink;
import org.apache.paimon.table.Table;

/** Paimon's table sink with the guarded writer and committer. */
final class GuardedTableSink extends FlinkTableSink {

    GuardedTableSink(
            ObjectIdentifier identifier, Table table, DynamicTableFactory.Context context) {
        super(identifier, table, context);
    }

    @Override
    protected FlinkSinkBuilder createSinkBuilder() {
        return new GuardedSinkBuilder(table);
    }

    @Override
    public DynamicTableSink copy() {
        GuardedTableSink copied = new GuardedTableSink(tableIdentifier, table, context);
        copied.staticPartitions = new HashMap<>(staticPartitions);
        copied.overwrite = overwrite;
        copied.deletePredicate = deletePredicate;
        return copied;
    }
}
