/** The ways in which a user starts a conversion, on a real Flink in this process. */
@NullMarked
package dev.paimoninplace.surfaces;

import org.jspecify.annotations.NullMarked;
