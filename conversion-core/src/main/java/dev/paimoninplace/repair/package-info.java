/** Finds out what is damaged in a table and what a repair can do about it; writes nothing. */
@NullMarked
package dev.paimoninplace.repair;

import org.jspecify.annotations.NullMarked;
