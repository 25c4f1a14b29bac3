package dev.paimoninplace.repair;

import dev.paimoninplace.plan.TableHandle;
import dev.paimoninplace.plan.TableView;

/**
 * Live files that are to get new row ids.
 *
 * @param files such files
 * @param rows rows in them
 */
public record Strays(long files, long rows) {

    /** All files without row id but those that get back the ids that they hold inside. */
    public static Strays of(TableHandle handle, TableView view, InsideIds insideIds) {
        long[] sum = new long[2];
        LiveEntries.of(handle, view.manifests())
                .forEach(
                        entry -> {
                            boolean isNew =
                                    entry.file().firstRowId() == null
                                            && !insideIds
                                                    .firstRowIds()
                                                    .containsKey(entry.fileName());
                            if (isNew) {
                                sum[0]++;
                                sum[1] += entry.file().rowCount();
                            }
                        });
        return new Strays(sum[0], sum[1]);
    }
}
