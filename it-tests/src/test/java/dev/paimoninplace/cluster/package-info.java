/** Tests on a real cluster: JobManager and TaskManager as processes of their own. */
@NullMarked
package dev.paimoninplace.cluster;

import org.jspecify.annotations.NullMarked;
