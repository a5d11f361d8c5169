import { LOOK_FOR_SLOW_EACH_MS } from '#backend/platform/http/connections.ts'

/** Options of node:http for the list: a sender that takes longer than this (ms) to send headers, or a whole request, is broken or hostile. */
export const LIST_PATIENCE = { headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: LOOK_FOR_SLOW_EACH_MS }
