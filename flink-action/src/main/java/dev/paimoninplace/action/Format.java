package dev.paimoninplace.action;

/** Form of a result on stdout. */
enum Format {
    TEXT,
    JSON;

    /** For failures of the arguments themselves, which may keep them from being parsed. */
    static Format askedForBy(String[] arguments) {
        String joined = " " + String.join(" ", arguments).replace("--format=", "--format ") + " ";
        return joined.contains(" --format json ") ? JSON : TEXT;
    }
}
