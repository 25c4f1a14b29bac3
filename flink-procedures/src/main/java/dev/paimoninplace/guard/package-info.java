/**
 * The guarded Flink catalog and its sink: a job that writes to an append table is told of a
 * conversion of that table, and goes on as a writer of the converted table when Flink restarts it.
 */
@NullMarked
package dev.paimoninplace.guard;

import org.jspecify.annotations.NullMarked;
