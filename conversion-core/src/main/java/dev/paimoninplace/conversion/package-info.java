/** The public entry points: what to convert, what was found, and what was done. */
@NullMarked
package dev.paimoninplace.conversion;

import org.jspecify.annotations.NullMarked;
