package dev.paimoninplace.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paimoninplace.conversion.ProgressListener.Stage;
import java.io.PrintWriter;
import java.io.StringWriter;
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

        List<String> lines = terminal.toString().lines().filter(l -> !l.isBlank()).toList();
        List<String> last = lines.stream().filter(l -> l.contains("100%")).toList();
        assertEquals(2, last.size(), lines.toString());
        assertTrue(last.get(0).startsWith("count") && last.get(0).contains("20/20"), last.get(0));
        assertTrue(last.get(1).startsWith("rewrite") && last.get(1).contains("7/7"), last.get(1));
        assertTrue(lines.stream().allMatch(l -> l.length() < 80), lines.toString());
    }

    @Test
    void staysSilentForTheSmallStages() {
        progress.progress(Stage.COMMIT, 0, 50);
        progress.progress(Stage.FLIP, 0, 1);
        progress.progress(Stage.FLIP, 1, 1);

        assertEquals("", terminal.toString());
    }
}
