package dev.paimoninplace.shapes;

import dev.paimoninplace.testing.TestTable;
import java.nio.file.Path;
import org.apache.paimon.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables of every shape keep their rows, get dense row ids, and can be used afterwards. */
final class ShapesTest {

    @TempDir Path warehouse;
    private Catalog catalog;

    @BeforeEach
    void open() {
        catalog = TestTable.catalog(warehouse);
    }

    @AfterEach
    void close() throws Exception {
        catalog.close();
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void isConvertedAsPredictedAndCanBeUpdatedDeletedFromAndCompacted(Shape shape) {
        TestTable table = shape.create(catalog, warehouse);

        ConvertedTable converted = ConvertedTable.convert(table, warehouse);

        converted.assertDensePerPartition();
        converted.assertManifestsKnowTheirRowIds();
        converted.assertReassignmentHasNothingToDo();
        converted.use();
    }
}
