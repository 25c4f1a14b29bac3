package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ProgressListener.Stage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private final StringWriter terminal = new StringWriter();
    private final ProgressLine progress = new ProgressLine(new PrintWriter(terminal));

    @Test
    void leavesOneLineForEachStageWithItsLastState() {
        for (int done = 0; done <= 20; done++) {
            progress.progress(Stage.COUNT, done, 20);
        }
        for (int done = 0; done <= 7; done++) {
            progress.progress(Stage.REWRITE, done, 7);
        }

        List<String> shown = shown();
        assertEquals(2, shown.size(), shown.toString());
        assertTrue(shown.get(0).matches("count +100% .* 20/20 .*"), shown.get(0));
        assertTrue(shown.get(1).matches("rewrite +100% .* 7/7 .*"), shown.get(1));
        assertTrue(shown.stream().allMatch(line -> line.length() < 80), shown.toString());
    }

    /** What a terminal shows in the end: of each line, what was written over it last. */
    private List<String> shown() {
        return Arrays.stream(terminal.toString().split(System.lineSeparator()))
                .map(line -> line.substring(line.lastIndexOf('\r') + 1))
                .toList();
    }

    @Test
    void staysSilentForTheSmallStages() {
        progress.progress(Stage.COMMIT, 0, 50);
        progress.progress(Stage.FLIP, 0, 1);
        progress.progress(Stage.FLIP, 1, 1);

        assertEquals("", terminal.toString());
    }
}
