/** Tables damaged by what really happens to tables, and what verify and repair make of them. */
@NullMarked
package dev.paimoninplace.damage;

import org.jspecify.annotations.NullMarked;
