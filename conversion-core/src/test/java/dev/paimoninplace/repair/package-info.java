@NullMarked
package dev.paimoninplace.repair;

import org.jspecify.annotations.NullMarked;
