/**
 * Milliseconds between two looks for connections that take too long to say something. All that do are ended in one go: with 3,000 of them
 * others waited for 0.1 s where it was looked every 2 s, and for 0.02 s with this (`npm run bench -- slow`).
 */
export const LOOK_FOR_SLOW_EACH_MS = 500
