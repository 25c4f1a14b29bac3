/**
 * What the SQL procedures and the command line have in common: table names, catalog options, and
 * the words for a failure.
 */
@NullMarked
package dev.paimoninplace.adapter;

import org.jspecify.annotations.NullMarked;
