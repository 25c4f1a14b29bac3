/** Tests with a Flink whose processes are containers, which die as such. */
@NullMarked
package dev.paimoninplace.containers;

import org.jspecify.annotations.NullMarked;
