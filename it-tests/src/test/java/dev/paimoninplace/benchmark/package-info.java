/** Speed and memory of a conversion, measured on tables made by writing manifests. */
@NullMarked
package dev.paimoninplace.benchmark;

import org.jspecify.annotations.NullMarked;
