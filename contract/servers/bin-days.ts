/** Limits of the bin of deleted servers. Without schemas, because the first page needs them. */

/** For how many days a deleted server can be restored. */
export const BIN_DAYS = 7
/** The bin holds as many servers as the account's server limit, and at least this many. */
export const MIN_BIN_SERVERS = 5
