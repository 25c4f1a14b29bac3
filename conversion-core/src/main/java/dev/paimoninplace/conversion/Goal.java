package dev.paimoninplace.conversion;

/** What a run is to do, in the words of its messages and of its commits. */
public enum Goal {
    CONVERT("convert", "enable-data-evolution-"),
    REPAIR("repair", "repair-data-evolution-");

    private final String verb;
    private final String commitUserPrefix;

    Goal(String verb, String commitUserPrefix) {
        this.verb = verb;
        this.commitUserPrefix = commitUserPrefix;
    }

    /** As in "Cannot convert db.t". */
    public String verb() {
        return verb;
    }

    /** What the commit user of a run's snapshots begins with; the id of the run follows. */
    public String commitUserPrefix() {
        return commitUserPrefix;
    }
}
