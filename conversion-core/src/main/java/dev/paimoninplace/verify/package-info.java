/** Finds out what is wrong with a Data Evolution table; reads only. */
@NullMarked
package dev.paimoninplace.verify;

import org.jspecify.annotations.NullMarked;
