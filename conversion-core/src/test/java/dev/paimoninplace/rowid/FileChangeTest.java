package dev.paimoninplace.rowid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class FileChangeTest {

    @Test
    void nothingIsNeededOnlyWhenNothingChanges() {
        assertEquals(false, FileChange.NONE.isNeeded());
        assertEquals(true, new FileChange(true, false, false).isNeeded());
        assertEquals(true, new FileChange(false, true, false).isNeeded());
        assertEquals(true, new FileChange(false, false, true).isNeeded());
    }
}
