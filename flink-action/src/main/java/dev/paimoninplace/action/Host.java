package dev.paimoninplace.action;

/** Whose process this is, which decides whether it may be ended. */
enum Host {
    /** Started for this command alone: its exit code is ours. */
    OWN_PROCESS,
    /** Flink's client, a JobManager or a test called us. */
    GUEST;

    /**
     * To be asked in the main method itself. The Java launcher calls a main method from native
     * code, so it has no caller on the stack; everything else that runs a main method shows up
     * there.
     */
    static Host current() {
        long frames = StackWalker.getInstance().walk(stack -> stack.skip(1).count());
        return frames == 1 ? OWN_PROCESS : GUEST;
    }
}
