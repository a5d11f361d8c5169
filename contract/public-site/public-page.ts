/** Rules of public pages and badges. Without schemas, so that the browser can import them cheaply. */

/** How long a server keeps its public page after it went offline, in milliseconds. */
export const OFFLINE_PAGE_MS = 30 * 86_400_000

export const BADGE_STYLES = ['flat', 'flat-square', 'for-the-badge'] as const
