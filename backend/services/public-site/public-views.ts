/** What the public pages show of a server. Everything is also in its row on the list, or in the history that the list serves. */
import type { PublicRow, PublicServerView } from '#contract/public-site/public-site.ts'
import type { ServerWeeks } from '#backend/services/history/server-weeks.ts'
import type { Trending } from '#backend/services/history/trending.ts'
import { type RowSource, gameModeOf, isConfirmed, listedEndpoint } from '#backend/masterlist/registry/listed-row.ts'
import type { AnnouncedState, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

/** A row of the list, or a server that is offline. */
export type ShownServer = RowSource & { readonly announced: AnnouncedState }

export interface PublicSources {
  readonly weeks: Pick<ServerWeeks, 'load' | 'of'>
  readonly trending: Pick<Trending, 'growthOf'>
}

export const pathOf = ({ fields }: Pick<ShownServer, 'fields'>) => `/s/${fields.vanityUrl === '' ? fields.publicId : fields.vanityUrl}`

function summaryOf(server: ShownServer, { trending }: PublicSources): Omit<PublicRow, 'week'> {
  const { fields, announced, online } = server
  return {
    publicId: fields.publicId,
    path: pathOf(server),
    name: fields.name,
    description: fields.description,
    iconUrl: fields.cosmetics.iconUrl,
    isVerified: fields.verified,
    // Promotion has no effect on an unranked server.
    isPromoted: fields.promoted && !fields.enforcement.isUnranked,
    isPassworded: announced.passworded,
    isOnline: online,
    players: online ? announced.playersCount : 0,
    maxPlayers: announced.maxPlayersCount,
    arePlayersConfirmed: isConfirmed(server),
    language: fields.language,
    region: fields.region,
    gameMode: gameModeOf(server),
    version: announced.version,
    tags: fields.tags,
    growth: trending.growthOf(fields.publicId),
  }
}

export function rowView(server: ShownServer, sources: PublicSources): PublicRow {
  return { ...summaryOf(server, sources), week: sources.weeks.of(server.fields.publicId)?.highest ?? [] }
}

/** @param connectTemplate `CONNECT_URL_TEMPLATE`. */
export function serverView(
  server: ServerRecord & ShownServer,
  sources: PublicSources,
  connectTemplate: string | undefined,
): PublicServerView {
  const { fields, announced, online } = server
  const address = listedEndpoint(server).address
  return {
    ...summaryOf(server, sources),
    bannerUrl: fields.cosmetics.bannerUrl,
    website: fields.website,
    group: fields.cosmetics.group ?? undefined,
    branch: announced.branch,
    address,
    connectUrl: connectTemplate && connectUrl(connectTemplate, address, fields.publicId),
    queue: online ? announced.queueCount : 0,
    usesVoiceChat: announced.useVoiceChat,
    since: server.since,
    createdAt: fields.createdAt,
    week: sources.weeks.of(fields.publicId),
  }
}

/** The colon before the port stays: games do not decode it. */
function connectUrl(template: string, address: string, publicId: string): string {
  return template
    .replaceAll('{address}', () => encodeURIComponent(address).replaceAll('%3A', ':'))
    .replaceAll('{public_id}', () => publicId)
}
