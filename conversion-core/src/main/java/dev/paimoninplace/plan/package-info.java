/** One immutable read of a table, and the checks on it. */
@NullMarked
package dev.paimoninplace.plan;

import org.jspecify.annotations.NullMarked;
