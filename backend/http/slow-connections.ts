/**
 * Milliseconds between two looks for connections that take too long to say something. All that do are ended in one go: where it was looked
 * every 2 s and 3,000 were slow, 700 at a time were, and others waited for 0.1 s; with this for 0.02 s (`npm run bench -- slow`).
 */
export const LOOK_FOR_SLOW_EACH_MS = 500

/** Of the list: a sender that takes longer than this to send headers, or a whole request, is broken or hostile. */
export const LIST_PATIENCE = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: LOOK_FOR_SLOW_EACH_MS }
