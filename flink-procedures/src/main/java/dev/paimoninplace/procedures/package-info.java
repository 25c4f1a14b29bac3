/** What stands behind the SQL procedures and the actions of Paimon's own action jar. */
@NullMarked
package dev.paimoninplace.procedures;

import org.jspecify.annotations.NullMarked;
