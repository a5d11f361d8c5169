/** The master list: what game servers send and what launchers and query libraries read (contract section 11). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListErrorReply } from './errors.ts'
import { hostField, urlField } from './host-fields.ts'

const count = (label: string, min: number, max: number) =>
  z
    .int({ error: `${label} must be a whole number from ${min} to ${max}.` })
    .min(min, `${label} must be a whole number from ${min} to ${max}.`)
    .max(max, `${label} must be a whole number from ${min} to ${max}.`)

const flag = (label: string) => z.boolean({ error: `${label} must be true or false.` })

const word = (label: string, max: number) =>
  z
    .string({ error: `${label} must be a text.` })
    .max(max, `${label} can be at most ${max} characters long.`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, `${label} can't contain control, text-direction or invisible characters.`)

/** May be left out; null, which many serialisers write for what is absent, says the same. */
function maybe<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional()).optional()
}

/** An announce. Fields beyond these are ignored, so that newer game servers can talk to an older list. */
export const AnnounceBody = z
  .object({
    port: count('port', 1, 65_535),
    playersCount: count('playersCount', 0, 4096),
    maxPlayersCount: count('maxPlayersCount', 1, 4096),
    passworded: flag('passworded'),
    version: word('version', 32).min(1, 'version is missing.'),
    branch: word('branch', 32).min(1, 'branch is missing.'),
    /** Accepted for compatibility; the list never uses it. */
    host: maybe(hostField('host')),
    gameMode: maybe(word('gameMode', 32)),
    queueCount: maybe(count('queueCount', 0, 65_535)),
    useVoiceChat: maybe(flag('useVoiceChat')),
    useEarlyAuth: maybe(flag('useEarlyAuth')),
    earlyAuthUrl: maybe(urlField('earlyAuthUrl')),
    useCdn: maybe(flag('useCdn')),
    cdnUrl: maybe(urlField('cdnUrl')),
  })
  .meta({ id: 'Announce' })
export type AnnounceBody = z.output<typeof AnnounceBody>

const Notice = z.object({ code: z.string(), message: z.string() })
type Notice = z.output<typeof Notice>

export const AnnounceReply = z
  .object({
    publicId: z.string(),
    listed: z.boolean(),
    nextAnnounceSeconds: z.int(),
    features: z.object({ cloudAuth: z.boolean() }),
    notices: z.array(Notice),
  })
  .meta({ id: 'AnnounceReply' })
export type AnnounceReply = z.output<typeof AnnounceReply>

export const ListedServer = z
  .object({
    publicId: z.string(),
    name: z.string(),
    playersCount: z.int(),
    playersConfirmed: z.boolean().describe('False while something speaks against the number: it does not lift the rank then.'),
    maxPlayersCount: z.int(),
    queueCount: z.int(),
    passworded: z.boolean(),
    port: z.int(),
    address: z.string().describe('`ip:port`, IPv6 in brackets, or the address of the CDN.'),
    language: z.string(),
    useEarlyAuth: z.boolean(),
    earlyAuthUrl: z.string(),
    useCdn: z.boolean(),
    cdnUrl: z.string(),
    useVoiceChat: z.boolean(),
    version: z.string(),
    branch: z.string(),
    available: z.boolean().describe('True while the server is online.'),
    banned: z.boolean(),
    vanityUrl: z.string(),
    website: z.string(),
    gameMode: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    lastTimeUpdate: z.iso.datetime().describe('When something shown here last changed.'),
    verified: z.boolean(),
    promoted: z.boolean(),
    visible: z.boolean(),
    hasCustomSkin: z.boolean(),
    bannerUrl: z.string(),
    masterlist_icon_url: z.string().nullable(),
    masterlist_banner_url: z.string().nullable(),
    joinBackgroundUrl: z.string(),
    group: z.object({ id: z.string(), name: z.string(), iconUrl: z.string(), pinned: z.boolean() }).nullable(),
  })
  .meta({ id: 'ListedServer' })
export type ListedServer = z.output<typeof ListedServer>

const announceRejections = {
  401: 'The credential is missing, malformed, unknown or revoked; `code` says which.',
  403: 'The server or its owner is banned.',
  409: 'The announce comes from another address than the bound one.',
  413: 'The body is larger than 8 KiB.',
  415: 'The body is not sent as JSON.',
  503: 'The list is starting, stopping, or its database is not available.',
}

export const announce = endpoint('POST /announce', {
  summary: 'Makes the server online, or keeps it so. Send it again after `nextAnnounceSeconds`.',
  access: 'credential',
  listener: 'masterlist',
  body: AnnounceBody,
  envelope: 'bare',
  reply: AnnounceReply,
  rejections: announceRejections,
})

export const leave = endpoint('DELETE /announce', {
  summary: 'Goes offline on purpose: the server leaves the list at once.',
  access: 'credential',
  listener: 'masterlist',
  envelope: 'none',
  rejections: announceRejections,
})

/** How many rows one page of the list has at most, and how many where only a cursor is given. */
const MAX_LIST_ROWS = 1000
export const DEFAULT_LIST_ROWS = 100

const TOO_OLD = 'The version is too old: read the whole list again.'
const PAGE_ERROR = `limit must be a whole number from 1 to ${MAX_LIST_ROWS}.`

/**
 * The plain call (no query) answers every listed server as an array. Filters narrow it, all that are given have to fit; `limit` makes it
 * pages. `since` stands alone: what it is joined with is refused.
 */
export const ListQuery = z.object({
  branch: word('branch', 32).optional().describe('Servers of this branch, such as `release`.'),
  language: word('language', 8).optional().describe('As owners choose it, such as `en`; in any capitals.'),
  tag: word('tag', 32).optional().describe('Servers that have this tag; in any capitals.'),
  q: word('q', 64).optional().describe('What the name, vanity id, game mode or a tag has in it; in any capitals.'),
  limit: z
    .string({ error: PAGE_ERROR })
    .regex(/^\d{1,4}$/, PAGE_ERROR)
    .transform(Number)
    .refine((rows) => rows >= 1 && rows <= MAX_LIST_ROWS, PAGE_ERROR)
    .optional()
    .describe(`Rows of a page, 1 to ${MAX_LIST_ROWS}. The header \`X-Next-Cursor\` names the next page, and so does \`Link\`.`),
  cursor: z
    .string()
    .max(512, 'cursor is not one that this list gave; take it from the X-Next-Cursor header of the page before.')
    .optional()
    .describe(`Where the page begins: the \`X-Next-Cursor\` of the page before. Without \`limit\` it has ${DEFAULT_LIST_ROWS} rows.`),
  since: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'since must be a version of this list, as the X-List-Version header or a delta names it.')
    .optional()
    .describe('A version: answers what changed since, as ListDelta.'),
  format: z
    .enum(['rows', 'columns'], { error: 'format must be rows or columns.' })
    .optional()
    .describe('`columns`: one object with one array a field, in place of one object a server.'),
})

/** A server in a delta: the whole row where it is new to the reader or more than its players changed, else only what did. */
const ListedChange = ListedServer.partial().required({ publicId: true })
type ListedChange = z.output<typeof ListedChange>

/** What has changed since a version. To be laid over what the reader has: fields that are not named stay as they are. */
export const ListDelta = z
  .object({
    version: z.string(),
    changed: z.array(ListedChange),
    removed: z.array(z.string()).describe('Public ids that are on the list no more.'),
  })
  .meta({ id: 'ListDelta' })
export type ListDelta = z.output<typeof ListDelta>

const columnsOf = <S extends z.ZodRawShape>(shape: S) =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, z.array(field)])) as { [K in keyof S]: z.ZodArray<S[K]> })

/** The same rows in the same order, one array a field. */
export const ListColumns = columnsOf(ListedServer.shape).meta({ id: 'ListColumns' })
export type ListColumns = z.output<typeof ListColumns>

export const servers = endpoint('GET /servers', {
  summary: 'All online, visible, unbanned servers: promoted first, then by players. The header `X-List-Version` names its version.',
  access: 'public',
  listener: 'masterlist',
  query: ListQuery,
  envelope: 'bare',
  reply: z.union([z.array(ListedServer), ListColumns, ListDelta]),
  rejections: {
    410: TOO_OLD,
    503: 'The list is starting, stopping, or has much to do: try again.',
  },
})

export const stream = endpoint('GET /servers/stream', {
  summary: 'The deltas as server-sent events, each with its version as the id; goes on after `Last-Event-ID` or `since`.',
  access: 'public',
  listener: 'masterlist',
  query: z.object({ since: z.string().max(64).optional() }),
  envelope: 'events',
  reply: ListDelta,
  rejections: { 410: TOO_OLD, 503: 'As many read it as this node takes: ask for deltas.' },
})

/** One point of a server's history: the beginning of its step in unix seconds, and players. */
const Points = z.array(z.object({ t: z.int(), c: z.int() }))

const BUSY = 'The list has much to do, or its database is not available and it does not know this: try again.'
const historyRejections = { 400: 'Another range.', 404: 'No such server.', 503: BUSY }

export const averagePlayers = endpoint('GET /servers/{id}/avg/{range}', {
  summary: 'Average players, evenly spaced; range is 1d, 7d or 31d. Empty for a server without history, 0 where it was offline.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: Points,
  rejections: historyRejections,
})

export const highestPlayers = endpoint('GET /servers/{id}/max/{range}', {
  summary: 'The same with the highest number of players in each step.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: Points,
  rejections: historyRejections,
})

export const info = endpoint('GET /servers/info', {
  summary: 'How many servers and players are on the list.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: z.object({ serversCount: z.int(), playersCount: z.int() }),
})

export const server = endpoint('GET /servers/{id}', {
  summary: 'One server by its public id or its vanity id, online or not.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: ListedServer,
  rejections: { 404: 'No such server.' },
})

export const Skin = z
  .object({
    id: z.string().describe('The public id of the server it was asked for.'),
    name: z.string(),
    rss: z.string(),
    uiUrl: z.string().describe('The page in place of the standard one; empty where the owner has none.'),
    primaryColor: z.string().describe('Six hexadecimal digits without a #; empty for the standard one.'),
    servers: z
      .array(z.object({ id: z.string(), name: z.string(), url: z.string() }))
      .describe('The servers it is for, as far as they are listed.'),
    imageSplash64: z.string().describe('300x400, base64; empty where there is none.'),
    imageLogo64: z.string().describe('128x128, base64.'),
    imageBackground64: z.string().describe('1920x1080, base64.'),
    splashUrl: z.string().describe('The same pictures by address.'),
    logoUrl: z.string(),
    backgroundUrl: z.string(),
  })
  .meta({ id: 'Skin' })
export type Skin = z.output<typeof Skin>

export const skin = endpoint('GET /servers/{id}/skin', {
  summary: 'The launcher skin of a server, by public id or vanity id.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: Skin,
  rejections: { 404: 'No such server, or it has no skin.', 503: BUSY },
})

export { ListErrorReply }
