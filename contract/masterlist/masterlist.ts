/** The master list's API for game servers, launchers and query libraries. */
import { z } from 'zod'
import * as m from '#contract/text/messages.ts'
import { ANNOUNCE_ERRORS, NOTICE_CODES } from './list-codes.ts'
import { codeOf, documentedAs } from '#contract/api/documented.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { ANNOUNCE_EXAMPLE, ANNOUNCE_REPLY_EXAMPLES, DELTA_EXAMPLE, LISTED_EXAMPLE } from '#contract/api/examples.ts'
import { PointsRangeParam, PublicOrVanityIdParam } from '#contract/api/path-params.ts'
import { ListQuery } from './list-query.ts'
import { LIST_SHAPE } from '#contract/servers/server-field-shapes.ts'
import { wholeNumber } from '#contract/text/numbers.ts'
import { line } from '#contract/text/text.ts'
import { PROBES } from '#contract/servers/probes.ts'
import { hostField, urlField } from '#contract/servers/host-fields.ts'

const flag = (label: string) => z.boolean({ error: m.mustBeBoolean(label) })

/** An optional field. Null counts as missing, because many serializers write it. */
function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish()
}

const MAX_CHARACTERS = 32

const shortLine = (label: string) => line({ label, max: MAX_CHARACTERS })

const requiredLine = (label: string) =>
  documentedAs(
    shortLine(label).refine((text) => text !== '', { error: m.isMissing(label) }),
    { type: 'string', minLength: 1, maxLength: MAX_CHARACTERS },
  )

/** An announce. Unknown fields are ignored, so that newer game servers work with an older list. */
export const AnnounceBody = z
  .object({
    port: wholeNumber('port', { min: 1, max: 65_535 }).describe('The port that players connect to.'),
    playersCount: wholeNumber('playersCount', { min: 0, max: 4096 }).describe('Above `maxPlayersCount` the list shows `maxPlayersCount`.'),
    maxPlayersCount: wholeNumber('maxPlayersCount', { min: 1, max: 4096 }),
    passworded: flag('passworded'),
    version: requiredLine('version').describe('The version of the game, such as `1.0`.'),
    branch: requiredLine('branch').describe('The branch of the game, such as `release`.'),
    host: optional(hostField('host')).describe(
      'The name or IP address that players connect to, such as that of a tunnel. It counts once it is proven. Without it, players connect to the source address of the announce.',
    ),
    probe: optional(z.enum(PROBES, { error: m.mustBeOneOf('probe', PROBES) })).describe(
      'How the list can probe the server: over `tcp`, over `udp`, or `none`. A `host` without it is probed over TCP.',
    ),
    gameMode: optional(shortLine('gameMode')),
    queueCount: optional(wholeNumber('queueCount', { min: 0, max: 65_535 })).describe('How many players wait to join.'),
    useVoiceChat: optional(flag('useVoiceChat')),
    useEarlyAuth: optional(flag('useEarlyAuth')).describe('Needs `earlyAuthUrl`.'),
    earlyAuthUrl: optional(urlField('earlyAuthUrl')),
    useCdn: optional(flag('useCdn')).describe('Needs `cdnUrl`, which the list then shows as the address.'),
    cdnUrl: optional(urlField('cdnUrl')),
  })
  .meta({ id: 'Announce' })
export type AnnounceBody = z.output<typeof AnnounceBody>

/** A goodbye. It can be empty: many servers send no body. */
export const LeaveBody = z
  .object({
    port: optional(wholeNumber('port', { min: 1, max: 65_535 })).describe(
      'The port that this process announced. If another port announced last, the server stays online.',
    ),
  })
  .meta({ id: 'Leave' })

const Notice = z
  .object({
    code: codeOf('NoticeCode', NOTICE_CODES, 'What the notice is about, for programs.'),
    message: z.string().describe('For people.'),
  })
  .meta({ id: 'Notice' })

export const AnnounceReply = z
  .object({
    publicId: z.string(),
    listed: z.boolean().describe('Whether players see the server on the list.'),
    nextAnnounceSeconds: z.int().describe('Announce again after this many seconds.'),
    features: z.object({ cloudAuth: z.boolean().describe('Whether the owner holds CLIENT_CLOUD_AUTH.') }),
    notices: z.array(Notice).describe('What the owner should know. Print them to the console.'),
  })
  .meta({ id: 'AnnounceReply' })
export type AnnounceReply = z.output<typeof AnnounceReply>

const ListedGroup = z
  .object({
    id: z.string().describe('The filter `group` takes it.'),
    name: z.string(),
    iconUrl: z.string().describe('Always empty.'),
    pinned: z.boolean().describe('Always false.'),
  })
  .meta({ id: 'ListedGroup' })

export const ListedServer = z
  .object({
    publicId: z.string().describe('7 characters of 0-9A-Za-z that never change.'),
    ...LIST_SHAPE,
    playersCount: z.int().describe('Connected players.'),
    playersConfirmed: z
      .boolean()
      .describe('False while the number of players is doubtful. The list then sorts the server as if it had none.'),
    maxPlayersCount: z.int().describe('Slots.'),
    queueCount: z.int().describe('Players who wait to join.'),
    passworded: z.boolean().describe('Whether players need a password.'),
    port: z.int().describe('The announced port.'),
    address: z
      .string()
      .describe(
        'Where to connect: `host:port` of a proven name, `ip:port` with IPv6 in brackets, or the URL of the CDN. IPv4 comes first.',
      ),
    addresses: z
      .array(z.string())
      .describe('Every `ip:port` where players reach the server, of both families, IPv4 first. Empty behind a CDN.'),
    host: z.string().describe('The name that the server announced as its host, once it is proven. Else empty.'),
    useEarlyAuth: z.boolean().describe('Whether early auth is on: announced, with an `earlyAuthUrl`.'),
    earlyAuthUrl: z.string().describe('The URL for early auth, as announced.'),
    useCdn: z.boolean().describe('Whether `address` is the URL of the CDN.'),
    cdnUrl: z.string().describe('The URL of the CDN, as announced.'),
    useVoiceChat: z.boolean().describe('Whether the server has voice chat, as announced.'),
    version: z.string().describe('The version of the game.'),
    branch: z.string().describe('The branch of the game.'),
    available: z.boolean().describe('Whether the server is online. Always true in the list.'),
    banned: z.boolean().describe('Always false in the list.'),
    lastTimeUpdate: z.iso.datetime().describe('When a field last changed: ISO 8601, UTC. An announce that changes nothing does not count.'),
    verified: z.boolean().describe('Whether an administrator vouches for the server.'),
    hasCustomSkin: z.boolean().describe('Whether there is a launcher theme at `/servers/{publicId}/skin`.'),
    bannerUrl: z.string().describe('The URL of the banner.'),
    masterlist_icon_url: z.string().nullable().describe('The URL of the icon. Null without one.'),
    masterlist_banner_url: z.string().nullable().describe('The same as `bannerUrl`, but null without a banner.'),
    joinBackgroundUrl: z.string().describe('The URL of the join background.'),
    group: ListedGroup.nullable().describe('The group of the server. Null without one.'),
  })
  .meta({ id: 'ListedServer', description: 'A server on the list. Strings that are not set are empty, unless a field says otherwise.' })
export type ListedServer = z.output<typeof ListedServer>

const ofGameServer = {
  access: 'credential',
  limits: ['announces', 'unbound-address-announces', 'unauthenticated-announces'],
  codes: ANNOUNCE_ERRORS,
} as const

export const announce = endpoint('POST /announce', {
  summary: 'Announce a server',
  description: 'Brings the server online or keeps it online. Announce again after `nextAnnounceSeconds`.',
  ...ofGameServer,
  body: AnnounceBody,
  reply: AnnounceReply,
  bodyExamples: { 'A server with 12 players': ANNOUNCE_EXAMPLE },
  replyExamples: ANNOUNCE_REPLY_EXAMPLES,
})

export const leave = endpoint('DELETE /announce', {
  summary: 'Go offline',
  description:
    'The server leaves the list at once. With `port`, a late call of a process that was replaced changes nothing: the reply is 204, too.',
  ...ofGameServer,
  body: LeaveBody,
  bodyOptional: true,
})

/** A server in a delta: the full row if it is new to the reader or more than its players changed, else only the changed fields. */
const ListedChange = ListedServer.partial().required({ publicId: true }).meta({ id: 'ListedChange' })

/** The changes since a version. Readers merge them: missing fields keep their values. */
export const ListDelta = z
  .object({
    version: z.string().describe('The version that the reader then has.'),
    changed: z.array(ListedChange).describe('New servers with all fields, others with the fields that changed.'),
    removed: z.array(z.string()).describe('Public IDs of servers that left the list.'),
  })
  .meta({ id: 'ListDelta' })
export type ListDelta = z.output<typeof ListDelta>

const columnsOf = <S extends z.ZodRawShape>(shape: S) =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, z.array(field)])) as { [K in keyof S]: z.ZodArray<S[K]> })

/** The same rows in the same order, as one array per field. */
export const ListColumns = columnsOf(ListedServer.shape).meta({ id: 'ListColumns' })
export type ListColumns = z.output<typeof ListColumns>

export const servers = endpoint('GET /servers', {
  summary: 'Read the list',
  description:
    'All servers that are online, visible and not banned. Promoted servers come first, then servers by players. Filters narrow the list, `limit` and `cursor` page it. `since` returns a delta and cannot be combined.',
  access: 'public',
  limits: ['list-all', 'list-full', 'list-parts'],
  query: ListQuery,
  reply: z.union([z.array(ListedServer), ListColumns, ListDelta]),
  codes: ['QUERY_INVALID', 'VERSION_TOO_OLD', 'TOO_MANY_REQUESTS', 'TOO_MANY_WAITING', 'TOO_MANY_UNREAD', 'LIST_BUSY', 'UNAVAILABLE'],
  replyHeaders: ['ETag', 'X-List-Version', 'X-Next-Cursor', 'Link', 'Age'],
  replyExamples: { 'The list': [LISTED_EXAMPLE], 'A delta, with since': DELTA_EXAMPLE },
})

export const stream = endpoint('GET /servers/stream', {
  summary: 'Follow the list',
  description: 'Each event is a delta, and its ID is the version. The stream resumes after `Last-Event-ID` or `since`.',
  access: 'public',
  limits: ['list-streams'],
  query: z.object({ since: z.string().max(64).optional().describe('The last version that the reader has.') }),
  requestHeaders: z.object({ 'Last-Event-ID': z.string().optional().describe('The last version that the reader has. Browsers send it.') }),
  envelope: 'events',
  reply: ListDelta,
  codes: ['QUERY_INVALID', 'VERSION_TOO_OLD', 'TOO_MANY_REQUESTS', 'TOO_MANY_STREAMS', 'STREAMS_FULL', 'UNAVAILABLE'],
})

/** Points of a server's history: `t` is the start of the step in Unix seconds, `c` the number of players. */
const Points = z.array(
  z
    .object({ t: z.int().describe('The start of the step, in Unix seconds.'), c: z.int().describe('Players.') })
    .meta({ id: 'HistoryPoint' }),
)

/** What every call for a server's history shares. */
export const HISTORY_CALL = {
  access: 'public',
  reply: Points,
  params: { id: PublicOrVanityIdParam, range: PointsRangeParam },
  codes: ['RANGE_INVALID', 'NO_SUCH_SERVER', 'TOO_MANY_REQUESTS', 'TOO_MANY_WAITING', 'HISTORY_BUSY', 'UNAVAILABLE'],
  replyHeaders: ['ETag', 'Age'],
} as const

export const averagePlayers = endpoint('GET /servers/{id}/avg/{range}', {
  summary: 'Get the average players of a server',
  description: 'Evenly spaced points. Empty for a server without history, 0 while it was offline.',
  ...HISTORY_CALL,
})

export const highestPlayers = endpoint('GET /servers/{id}/max/{range}', {
  summary: 'Get the highest number of players of a server',
  description: 'Evenly spaced points. Empty for a server without history, 0 while it was offline.',
  ...HISTORY_CALL,
})

export const info = endpoint('GET /servers/info', {
  summary: 'Count servers and players',
  access: 'public',
  reply: z.object({ serversCount: z.int(), playersCount: z.int() }).meta({ id: 'ListInfo' }),
  codes: ['TOO_MANY_REQUESTS'],
  replyHeaders: ['ETag', 'X-List-Version', 'Age'],
})

const ofServer = { access: 'public', params: { id: PublicOrVanityIdParam }, replyHeaders: ['ETag', 'Age'] } as const

export const server = endpoint('GET /servers/{id}', {
  summary: 'Get a listed server',
  description: 'Also returns servers that are offline.',
  ...ofServer,
  reply: ListedServer,
  codes: ['NO_SUCH_SERVER', 'TOO_MANY_REQUESTS'],
})

export const Skin = z
  .object({
    id: z.string().describe('The public ID of the requested server.'),
    name: z.string(),
    rss: z.string(),
    uiUrl: z.string().describe('The page that replaces the standard one. Empty for the standard one.'),
    primaryColor: z.string().describe('Six hexadecimal digits without a #. Empty for the standard one.'),
    servers: z.array(z.object({ id: z.string(), name: z.string(), url: z.string() })).describe('The listed servers that it is for.'),
    imageSplash64: z.string().describe('300x400, base64. Empty if there is none.'),
    imageLogo64: z.string().describe('128x128, base64.'),
    imageBackground64: z.string().describe('1920x1080, base64.'),
    splashUrl: z.string().describe('The address of the same image.'),
    logoUrl: z.string(),
    backgroundUrl: z.string(),
  })
  .meta({ id: 'Skin' })
export type Skin = z.output<typeof Skin>

export const skin = endpoint('GET /servers/{id}/skin', {
  summary: 'Get the launcher theme of a server',
  ...ofServer,
  limits: ['launcher-themes'],
  reply: Skin,
  codes: ['NO_SUCH_SERVER', 'NO_SKIN', 'TOO_MANY_REQUESTS', 'TOO_MANY_UNREAD', 'SKINS_BUSY', 'UNAVAILABLE'],
})
