/** Every limit on how often and how much, in one table. Endpoints name theirs, and docs/api/reference/limits.md is generated from it. */

/** Whose calls share a token bucket. An address is an IPv4 address or an IPv6 /64. */
type RateKey = 'address' | 'session' | 'API key' | 'user' | 'server' | 'installation'

/** A token bucket, shared by all nodes: `burst` calls at once, then `refill` more every `seconds`. */
interface Rate {
  readonly key: RateKey
  readonly burst: number
  readonly refill: number
  readonly seconds: number
  /** Which calls count. */
  readonly calls: string
  readonly protects: string
  /** By default a rejected call does not count. */
  readonly countsFailures: boolean
}

type Pace = readonly [burst: number, refill: number, seconds: number]

const rate = (key: RateKey, [burst, refill, seconds]: Pace, calls: string, protects: string): Rate => ({
  key,
  burst,
  refill,
  seconds,
  calls,
  protects,
  countsFailures: false,
})

/** Rejected calls count, too: they cost as much. */
const rateOfAll = (...row: Parameters<typeof rate>): Rate => ({ ...rate(...row), countsFailures: true })

const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3600, 86_400]

export const RATES = {
  requests: rate('address', [1000, 100, SECOND], 'all requests to the panel', 'CPU'),
  visitors: rate('address', [300, 20, SECOND], 'calls without a session', 'CPU'),
  sessions: rate('session', [300, 20, SECOND], 'calls of a session', 'the database'),
  'api-keys': rate('API key', [60, 5, SECOND], 'calls with an API key', 'the database'),
  'sign-ins': rate('address', [60, 1, SECOND], 'completing a sign-in', 'Discord, which limits rejections'),
  leaks: rate('address', [60, 60, HOUR], 'reported secrets without a signature', 'the database'),
  creations: rate('user', [20, 1, MINUTE], 'creating servers', 'the audit log'),
  changes: rate('user', [300, 1, 5], 'changing servers, groups, settings, webhooks and API keys', 'the audit log'),
  reissues: rateOfAll('user', [30, 1, 10], 'reissuing credentials', 'the audit log'),
  grants: rate('user', [60, 1, MINUTE], 'granting permissions', 'other users, who see each grant'),
  offers: rate('user', [20, 20, DAY], 'requesting transfers', 'other users, who see each offer'),
  uploads: rateOfAll('user', [30, 1, 10], 'uploading images', 'CPU'),
  'feed-previews': rateOfAll('user', [10, 1, 6], 'previewing feeds', 'the hosts of feeds'),
  searches: rateOfAll('user', [20, 20, MINUTE], 'finding users by Discord name', 'users against scraping'),
  'searches-of-a-day': rateOfAll('user', [200, 200, DAY], 'finding users by Discord name', 'users against scraping'),
  exports: rateOfAll('user', [3, 1, MINUTE], 'exporting data', 'the database'),
  'account-deletions': rateOfAll('user', [20, 1, MINUTE], 'requesting the deletion of the account', 'the audit log'),
  preferences: rate('user', [60, 1, 10], 'changing preferences', 'the audit log'),
  'endpoint-tests': rateOfAll('user', [10, 1, 6], 'testing whether players reach a server', 'the hosts that servers name'),
  'webhook-tests': rateOfAll('user', [10, 1, 6], 'testing webhooks and repeating deliveries', 'the receivers'),
  'public-servers': rate('address', [600, 50, SECOND], 'public pages of servers that must be rendered', 'CPU'),
  'public-pages': rate('address', [60, 5, SECOND], 'other public pages that must be built', 'CPU'),
  'og-images': rate('address', [60, 1, SECOND], 'preview images that must be drawn', 'CPU'),
  announces: rate('server', [10, 1, 2], 'announces of a credential', 'CPU'),
  'unbound-address-announces': rate('server', [10, 1, 2], 'announces from an address that is not bound', 'the real server'),
  'unauthenticated-announces': rate('address', [100, 1, SECOND], 'calls without a valid credential', 'the database'),
  'server-calls': rate('server', [200, 20, SECOND], 'verifying players', 'CPU'),
  'list-all': rate('address', [600, 60, SECOND], 'all reads of the list, 304s too', 'CPU'),
  'list-full': rate('address', [120, 10, SECOND], 'whole lists and long deltas', 'the network'),
  'list-parts': rate('address', [40, 4, SECOND], 'parts and deltas that must be built', 'CPU'),
  'list-streams': rate('address', [60, 1, 2], 'opening streams of the list', 'CPU'),
  'launcher-themes': rate('address', [120, 10, SECOND], 'launcher themes', 'the network'),
  'other-reads': rate('address', [600, 60, SECOND], 'all other calls to the master list', 'CPU'),
  'cloud-auth-tickets': rate('address', [10, 1, 6], 'requesting tickets', 'the identity provider'),
  'failed-player-sign-ins': rate(
    'installation',
    [500, 5, SECOND],
    'sign-ins of players that Discord rejects',
    'half of the limit of Discord',
  ),
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
