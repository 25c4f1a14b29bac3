/** Real tables for tests, and what can happen to them. */
@NullMarked
package dev.paimoninplace.testing;

import org.jspecify.annotations.NullMarked;
