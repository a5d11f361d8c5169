/** The first servers announce only in probes, so that no other load changes them. */
export const RESERVED_SERVERS = 32
