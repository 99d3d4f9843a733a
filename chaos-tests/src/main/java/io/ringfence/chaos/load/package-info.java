/**
 * Many checks over many connections, and the books that are kept of the answers: who was admitted
 * how often in which window, whether every denial told the right wait, how long it all took. Used
 * by the tests, which assert on the books, and by the commands, which print them.
 */
@NullMarked
package io.ringfence.chaos.load;

import org.jspecify.annotations.NullMarked;
