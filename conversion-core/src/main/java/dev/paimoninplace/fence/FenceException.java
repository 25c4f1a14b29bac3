package dev.paimoninplace.fence;

/**
 * A commit or a rollback that the guarded catalog refused. Nothing of it landed.
 *
 * <p>Its message says what was to be done, the fact that prevents it and what to do next.
 */
public class FenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String table;

    /**
     * @param code stable identifier of the cause in upper snake case, as listed in docs/errors.md
     * @param table name of the table, for people
     */
    FenceException(String code, String table, String message) {
        super(message);
        this.code = code;
        this.table = table;
    }

    public final String code() {
        return code;
    }

    public final String table() {
        return table;
    }
}
