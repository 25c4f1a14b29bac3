/** Pure assignment of row ids: no I/O, no logging. */
@NullMarked
package dev.paimoninplace.rowid;

import org.jspecify.annotations.NullMarked;
