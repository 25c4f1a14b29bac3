/** The command line: one subcommand per action, for {@code flink run} and for plain Java. */
@NullMarked
package dev.paimoninplace.action;

import org.jspecify.annotations.NullMarked;
