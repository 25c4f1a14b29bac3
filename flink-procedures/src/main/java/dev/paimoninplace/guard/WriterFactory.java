package dev.paimoninplace.guard;

import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.paimon.flink.sink.Committable;
import org.apache.paimon.flink.sink.RowDataStoreWriteOperator;
import org.apache.paimon.flink.sink.StatelessRowDataStoreWriteOperator;
import org.apache.paimon.flink.sink.StoreSinkWrite;
import org.apache.paimon.table.FileStoreTable;

/** Creates writers that open the table as it is when they start. */
class WriterFactory extends RowDataStoreWriteOperator.Factory {

    private static final long serialVersionUID = 1L;

    private final PlannedTable planned;

    WriterFactory(FileStoreTable table, StoreSinkWrite.Provider provider, String commitUser) {
        super(table, provider, commitUser);
        this.planned = new PlannedTable(table);
    }

    final FileStoreTable currentTable() {
        return planned.current();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<Committable>> T createStreamOperator(
            StreamOperatorParameters<Committable> parameters) {
        return (T)
                new StatelessRowDataStoreWriteOperator(
                        parameters, currentTable(), storeSinkWriteProvider, initialCommitUser);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return StatelessRowDataStoreWriteOperator.class;
    }
}
