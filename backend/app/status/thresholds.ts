/** From when on an operator must look. `doctor` uses them too, and deploy/prometheus/alerts.yml has the same numbers. */
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000]
const MIB = 1024 * 1024

/** Nodes tolerate this between their clocks (docs/decisions/0005). */
export const MAX_CLOCK_OFFSET_MS = 2000
/** Beyond this, nodes reject times as from the future (masterlist/registry/live-state.ts). */
export const MAX_CLOCK_SKEW_MS = 60_000
/** Postgres stops when it can't write its log, so this is for an operator to react in time. */
export const MIN_FREE_BYTES = 256 * MIB
export const LOW_FREE_BYTES = 2048 * MIB
/** A day and the time that a large backup takes. */
export const MAX_BACKUP_AGE_MS = 26 * HOUR_MS
/** Without a backup for two days, something is broken. */
export const OLD_BACKUP_AGE_MS = 50 * HOUR_MS
export const MAX_LIST_AGE_MS = 30_000
export const MAX_JOB_DELAY_MS = 10 * MINUTE_MS
export const MAX_LATENCY_MS = 250
/** A full interval of each deletion job fits in it many times. */
export const MAX_DELETION_DELAY_MS = 2 * HOUR_MS
/** Most certificates are renewed earlier. */
export const CERTIFICATE_NOTICE_MS = 10 * DAY_MS
export const CERTIFICATE_END_MS = 2 * DAY_MS
/** Without a publication for this long, mirrors serve an old list. Readers accept it for a day. */
export const MAX_PUBLISH_AGE_MS = 10 * MINUTE_MS
