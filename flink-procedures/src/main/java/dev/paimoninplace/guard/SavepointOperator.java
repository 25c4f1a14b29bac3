package dev.paimoninplace.guard;

/**
 * An operator of a Paimon sink in a savepoint.
 *
 * @param role {@code committer}, or {@code writer} where the commits are made on the JobManager
 * @param id operator id, 32 hexadecimal digits
 * @param name name of the operator; empty where the savepoint does not hold it
 * @param commitUser user of the snapshots that the job commits
 */
record SavepointOperator(String role, String id, String name, String commitUser) {}
