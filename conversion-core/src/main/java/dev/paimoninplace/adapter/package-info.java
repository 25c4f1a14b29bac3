/**
 * What the SQL procedures and the command line have in common: table names, catalog options, report
 * files, and the words for results and failures.
 */
@NullMarked
package dev.paimoninplace.adapter;

import org.jspecify.annotations.NullMarked;
