/** Tables of many shapes, converted and used afterwards. */
@NullMarked
package dev.paimoninplace.shapes;

import org.jspecify.annotations.NullMarked;
