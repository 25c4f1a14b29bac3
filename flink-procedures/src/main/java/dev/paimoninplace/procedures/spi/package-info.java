/**
 * The classes that Paimon finds by {@code META-INF/services}. It loads them in every Flink that has
 * this bundle in its {@code lib}, and one that fails to load takes all of Paimon's own factories
 * with it. So this package is compiled for Java 11, and its classes name others of this project in
 * method bodies only.
 */
@NullMarked
package dev.paimoninplace.procedures.spi;

import org.jspecify.annotations.NullMarked;
