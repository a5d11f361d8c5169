/**
 * Milliseconds between two looks for connections that take too long to say something. All that do are ended in one go: where it was looked
 * every 2 s and 3,000 were slow, some 700 at a time were, and others' p99 was 56 to 115 ms; with this mostly 16 to 30 (`npm run bench -- slow`).
 */
export const LOOK_FOR_SLOW_EACH_MS = 500
