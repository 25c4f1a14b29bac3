/** Jobs on the guarded Flink catalog, before, during and after a conversion. */
@NullMarked
package dev.paimoninplace.guard;

import org.jspecify.annotations.NullMarked;
