/**
 * The fence: what keeps a writer that opened a table before its conversion from committing to it
 * afterwards. It sits in the compare-and-set of every snapshot, below a catalog of Paimon's own
 * kind.
 */
@NullMarked
package dev.paimoninplace.fence;

import org.jspecify.annotations.NullMarked;
