/** Every limit on how often and how much, in one table. Endpoints name theirs, and docs/api/limits.md is generated from it. */

/**
 * A token bucket: `burst` calls at once, then `refill` more every `seconds`.
 * Rates are shared by all nodes. An address is an IPv4 address or an IPv6 /64.
 */
interface Rate {
  /** Whose calls share a bucket. */
  readonly key: 'address' | 'session' | 'API key' | 'user' | 'server' | 'installation'
  readonly burst: number
  readonly refill: number
  readonly seconds: number
  /** By default a rejected call does not count. */
  readonly countsFailures?: true
  /** Which calls it limits. */
  readonly calls: string
  /** What it protects. */
  readonly protects: string
}

const MINUTE = 60
const DAY = 86_400

export const RATES = {
  requests: { key: 'address', burst: 1000, refill: 100, seconds: 1, calls: 'all requests to the panel', protects: 'CPU' },
  visitors: { key: 'address', burst: 300, refill: 20, seconds: 1, calls: 'calls without a session', protects: 'CPU' },
  sessions: { key: 'session', burst: 300, refill: 20, seconds: 1, calls: 'calls of a session', protects: 'the database' },
  'api-keys': { key: 'API key', burst: 60, refill: 5, seconds: 1, calls: 'calls with an API key', protects: 'the database' },
  'sign-ins': {
    key: 'address',
    burst: 60,
    refill: 1,
    seconds: 1,
    calls: 'completing a sign-in',
    protects: 'Discord, which bans an address after 10,000 rejections in ten minutes',
  },
  leaks: { key: 'address', burst: 60, refill: 60, seconds: 3600, calls: 'reported secrets without a signature', protects: 'the database' },
  creations: { key: 'user', burst: 20, refill: 1, seconds: MINUTE, calls: 'creating servers', protects: 'the audit log' },
  changes: {
    key: 'user',
    burst: 300,
    refill: 1,
    seconds: 5,
    calls: 'changing servers, groups, pins, benefit settings, webhooks and API keys; resetting addresses',
    protects: 'the audit log, which keeps a row of each change',
  },
  reissues: {
    key: 'user',
    burst: 30,
    refill: 1,
    seconds: 10,
    countsFailures: true,
    calls: 'reissuing credentials',
    protects: 'the audit log',
  },
  grants: {
    key: 'user',
    burst: 60,
    refill: 1,
    seconds: MINUTE,
    calls: 'granting permissions',
    protects: 'other users, who see each grant',
  },
  offers: { key: 'user', burst: 20, refill: 20, seconds: DAY, calls: 'requesting transfers', protects: 'other users, who see each offer' },
  uploads: {
    key: 'user',
    burst: 30,
    refill: 1,
    seconds: 10,
    countsFailures: true,
    calls: 'uploading images',
    protects: 'CPU: decoding is expensive',
  },
  'feed-previews': {
    key: 'user',
    burst: 10,
    refill: 1,
    seconds: 6,
    countsFailures: true,
    calls: 'previewing feeds',
    protects: 'the hosts of feeds',
  },
  searches: {
    key: 'user',
    burst: 20,
    refill: 20,
    seconds: MINUTE,
    countsFailures: true,
    calls: 'finding users by Discord name',
    protects: 'users: enough to find friends, too few to scrape all',
  },
  'searches-of-a-day': {
    key: 'user',
    burst: 200,
    refill: 200,
    seconds: DAY,
    countsFailures: true,
    calls: 'finding users by Discord name',
    protects: 'users: enough to find friends, too few to scrape all',
  },
  exports: {
    key: 'user',
    burst: 3,
    refill: 1,
    seconds: MINUTE,
    countsFailures: true,
    calls: 'exporting data',
    protects: 'the database: an export reads every row of a user',
  },
  'account-deletions': {
    key: 'user',
    burst: 20,
    refill: 1,
    seconds: MINUTE,
    countsFailures: true,
    calls: 'requesting the deletion of the account',
    protects: 'the audit log',
  },
  preferences: { key: 'user', burst: 60, refill: 1, seconds: 10, calls: 'changing preferences', protects: 'the audit log' },
  'webhook-tests': {
    key: 'user',
    burst: 10,
    refill: 1,
    seconds: 6,
    countsFailures: true,
    calls: 'testing webhooks and repeating deliveries',
    protects: 'the receivers, and this node, which waits for them',
  },
  'public-servers': {
    key: 'address',
    burst: 600,
    refill: 50,
    seconds: 1,
    calls: "servers' public pages that must be rendered",
    protects: 'CPU',
  },
  'public-pages': { key: 'address', burst: 60, refill: 5, seconds: 1, calls: 'other public pages that must be built', protects: 'CPU' },
  'og-images': { key: 'address', burst: 60, refill: 1, seconds: 1, calls: 'preview images that must be drawn', protects: 'CPU' },
  announces: { key: 'server', burst: 10, refill: 1, seconds: 2, calls: 'announces of a credential', protects: 'CPU' },
  'unbound-address-announces': {
    key: 'server',
    burst: 10,
    refill: 1,
    seconds: 2,
    calls: "announces from an address that isn't bound, each address apart",
    protects: "the real server's announces",
  },
  'unauthenticated-announces': {
    key: 'address',
    burst: 100,
    refill: 1,
    seconds: 1,
    calls: 'announces without a valid credential',
    protects: 'the database, which is asked for unknown credentials',
  },
  'server-calls': { key: 'server', burst: 200, refill: 20, seconds: 1, calls: 'verifying players and goodbyes', protects: 'CPU' },
  'list-all': { key: 'address', burst: 600, refill: 60, seconds: 1, calls: 'all reads of the list, 304s too', protects: 'CPU' },
  'list-full': { key: 'address', burst: 120, refill: 10, seconds: 1, calls: 'whole lists and long deltas', protects: 'the network' },
  'list-parts': { key: 'address', burst: 40, refill: 4, seconds: 1, calls: 'parts and deltas that must be built', protects: 'CPU' },
  'list-streams': { key: 'address', burst: 60, refill: 1, seconds: 2, calls: 'opening streams of the list', protects: 'CPU' },
  'launcher-themes': { key: 'address', burst: 120, refill: 10, seconds: 1, calls: 'launcher themes', protects: 'the network' },
  'other-reads': { key: 'address', burst: 600, refill: 60, seconds: 1, calls: 'all other calls to the master list', protects: 'CPU' },
  'cloud-auth-tickets': {
    key: 'address',
    burst: 10,
    refill: 1,
    seconds: 6,
    calls: 'requesting tickets',
    protects: 'the identity provider',
  },
  'failed-player-sign-ins': {
    key: 'installation',
    burst: 500,
    refill: 5,
    seconds: 1,
    calls: 'sign-ins of players that Discord rejects',
    protects: "half of Discord's limit, after which it bans this address",
  },
} as const satisfies Readonly<Record<string, Rate>>

export type RateName = keyof typeof RATES

/** How much of a kind runs at once on each node, for each key. */
interface Concurrency {
  readonly key: 'address' | 'user'
  readonly max: number
  readonly calls: string
}

export const CONCURRENCY = {
  'list-streams': { key: 'address', max: 30, calls: 'open streams of the list' },
  'list-responses': { key: 'address', max: 30, calls: 'replies of the list that are not read yet' },
  'launcher-themes': { key: 'address', max: 2, calls: 'launcher themes' },
  'panel-streams': { key: 'user', max: 12, calls: 'open panels; the oldest closes' },
  uploads: { key: 'user', max: 8, calls: 'image uploads' },
} as const satisfies Readonly<Record<string, Concurrency>>
