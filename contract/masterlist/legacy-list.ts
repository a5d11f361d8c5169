/** Version 1 of the list's API, which most bots and sites in the wild still use. `contract/masterlist/masterlist.ts` has the current one. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { HISTORY_CALL, ListedServer } from './masterlist.ts'
import { PublicOrVanityIdParam } from '#contract/api/path-params.ts'

const { name, gameMode, language, description, verified, promoted, tags, branch, version } = ListedServer.shape
const { useEarlyAuth, earlyAuthUrl, cdnUrl, useVoiceChat } = ListedServer.shape

export const LegacyServer = z
  .object({
    id: z.string().describe('The public ID.'),
    maxPlayers: z.int(),
    players: z.int(),
    name,
    locked: z.boolean().describe('Whether players need a password.'),
    host: z.string().describe('The address without its port: IPv6 in brackets, or the host of the CDN.'),
    port: z.int(),
    gameMode,
    website: z.string().describe('Without `https://`.'),
    language,
    description,
    verified,
    promoted,
    useEarlyAuth,
    earlyAuthUrl,
    useCdn: z.boolean().describe('Whether `host` is the host of `cdnUrl`.'),
    cdnUrl,
    useVoiceChat,
    tags,
    bannerUrl: z.string().nullable(),
    branch,
    build: z.int().describe('Always -1: no longer used.'),
    version,
    lastUpdate: z.int().describe('When a field of this server last changed, in Unix milliseconds.'),
  })
  .meta({ id: 'LegacyServer' })
export type LegacyServer = z.output<typeof LegacyServer>

export const servers = endpoint('GET /servers/list', {
  summary: 'Read the list in version 1',
  description: 'The servers of `GET /servers`, in the same order.',
  access: 'public',
  limits: ['list-all', 'list-full'],
  reply: z.array(LegacyServer),
  codes: ['TOO_MANY_REQUESTS', 'TOO_MANY_WAITING', 'TOO_MANY_UNREAD', 'LIST_BUSY', 'UNAVAILABLE'],
  replyHeaders: ['ETag', 'X-List-Version', 'Age'],
})

export const server = endpoint('GET /server/{id}', {
  summary: 'Get a server in version 1',
  description: '`active` is false, and `info` missing, while the server is not on the list.',
  access: 'public',
  reply: z.union([z.object({ active: z.literal(true), info: LegacyServer }), z.object({ active: z.literal(false) })]),
  params: { id: PublicOrVanityIdParam },
  codes: ['NO_SUCH_SERVER', 'TOO_MANY_REQUESTS'],
  replyHeaders: ['ETag', 'Age'],
})

const points = {
  description: 'Like the call of the current API, but only for servers that are on the list while they are online.',
  ...HISTORY_CALL,
} as const

export const averagePlayers = endpoint('GET /avg/{id}/{range}', { summary: 'Get the average players of a server in version 1', ...points })

export const highestPlayers = endpoint('GET /max/{id}/{range}', {
  summary: 'Get the highest number of players of a server in version 1',
  ...points,
})
