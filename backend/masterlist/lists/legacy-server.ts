/** A server in version 1 of the list's API. */
import type { LegacyServer } from '#contract/masterlist/legacy-list.ts'
import { type RowSource, listedServer } from '#backend/masterlist/registry/listed-row.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'

function legacyServer(row: RowSource): LegacyServer {
  const listed = listedServer(row)
  return {
    id: listed.publicId,
    maxPlayers: listed.maxPlayersCount,
    players: listed.playersCount,
    name: listed.name,
    locked: listed.passworded,
    host: hostOf(listed),
    port: listed.port,
    gameMode: listed.gameMode,
    // Owners wrote it without a scheme, so clients put one in front.
    website: listed.website.replace(/^https?:\/\//, ''),
    language: listed.language,
    description: listed.description,
    verified: listed.verified,
    promoted: listed.promoted,
    useEarlyAuth: listed.useEarlyAuth,
    earlyAuthUrl: listed.earlyAuthUrl,
    useCdn: listed.useCdn,
    cdnUrl: listed.cdnUrl,
    useVoiceChat: listed.useVoiceChat,
    tags: listed.tags,
    bannerUrl: listed.masterlist_banner_url,
    branch: listed.branch,
    build: -1,
    version: listed.version,
    lastUpdate: Math.trunc(row.changedAt),
  }
}

/** The address without its port. Behind a CDN, the list doesn't publish the server's own address. */
function hostOf({ useCdn, address }: { readonly useCdn: boolean; readonly address: string }): string {
  return useCdn ? (URL.parse(address)?.hostname ?? '') : address.slice(0, address.lastIndexOf(':'))
}

export function legacyJson(row: RowSource): string {
  return JSON.stringify(legacyServer(row))
}

/** The reply for one server. */
export function legacyReplyJson(server: ServerRecord): string {
  return server.isListed ? `{"active":true,"info":${legacyJson(server)}}` : '{"active":false}'
}
