/** A server as launchers and query libraries read it (contract section 11). */
import type { ListedServer } from '#contract/masterlist.ts'
import type { Announced, ServerRecord } from './server-record.ts'

const NOTHING: Announced = {
  port: 0,
  playersCount: 0,
  isAboveSlots: false,
  maxPlayersCount: 0,
  queueCount: 0,
  passworded: false,
  version: '',
  branch: '',
  gameMode: '',
  useVoiceChat: false,
  useEarlyAuth: false,
  earlyAuthUrl: '',
  useCdn: false,
  cdnUrl: '',
}

/** `ip:port`, IPv6 in brackets, or the CDN's address; empty before the first announce. */
export function shownAddress({ announced, address }: ServerRecord): string {
  if (announced === undefined) return ''
  if (announced.useCdn) return announced.cdnUrl
  return `${address.includes(':') ? `[${address}]` : address}:${announced.port}`
}

/** Whether nothing speaks against the number of players that the server announces. */
export function isConfirmed({ fields, announced }: ServerRecord): boolean {
  return !fields.standing.arePlayersDoubted && announced?.isAboveSlots !== true
}

/** Strings are never null but empty; an offline server keeps its last state, with nobody on it. */
export function listedServer(server: ServerRecord): ListedServer {
  const { fields } = server
  const live = server.announced ?? NOTHING
  return {
    publicId: fields.publicId,
    name: fields.name,
    playersCount: server.online ? live.playersCount : 0,
    playersConfirmed: isConfirmed(server),
    maxPlayersCount: live.maxPlayersCount,
    queueCount: server.online ? live.queueCount : 0,
    passworded: live.passworded,
    port: live.port,
    address: shownAddress(server),
    language: fields.language,
    useEarlyAuth: live.useEarlyAuth,
    earlyAuthUrl: live.earlyAuthUrl,
    useCdn: live.useCdn,
    cdnUrl: live.cdnUrl,
    useVoiceChat: live.useVoiceChat,
    version: live.version,
    branch: live.branch,
    available: server.online,
    banned: server.isBanned,
    vanityUrl: fields.vanityUrl,
    website: fields.website,
    gameMode: fields.gameMode === '' ? live.gameMode : fields.gameMode,
    description: fields.description,
    tags: [...fields.tags],
    lastTimeUpdate: new Date(server.changedAt).toISOString(),
    verified: fields.verified,
    // Promotion does not lift it, and who reads row by row is to see the same.
    promoted: fields.promoted && !fields.standing.isUnranked,
    visible: fields.visible,
    hasCustomSkin: fields.hasSkin,
    bannerUrl: fields.bannerUrl,
    masterlist_icon_url: fields.iconUrl,
    masterlist_banner_url: fields.bannerUrl === '' ? null : fields.bannerUrl,
    joinBackgroundUrl: fields.joinBackgroundUrl,
    group: fields.group === null ? null : { ...fields.group, iconUrl: '', pinned: false },
  }
}

/** The row's JSON. While the server is listed it is made once for each change and kept. */
export function rowOf(server: ServerRecord): string {
  if (server.row !== undefined) return server.row
  const row = JSON.stringify(listedServer(server))
  if (server.isListed) {
    server.row = row
    server.rowBytes = Buffer.byteLength(row)
  }
  return row
}
