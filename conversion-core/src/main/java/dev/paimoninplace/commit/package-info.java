/**
 * Everything that writes: manifests, snapshots, the schema. The only package that sees Paimon's
 * commit and schema internals.
 */
@NullMarked
package dev.paimoninplace.commit;

import org.jspecify.annotations.NullMarked;
