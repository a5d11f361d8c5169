/** The state of a live server that a webhook or an inbox was last notified of, and the events of a change. */
import { hash } from 'node:crypto'
import type { PublicEventType } from '#contract/events/public-events.ts'
import { FAMILIES, type Family } from '#backend/platform/http/client-address.ts'
import { isShared, otherPortsOf } from '#backend/masterlist/registry/processes.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { PublicEvent } from './publish.ts'

export interface LiveState {
  readonly is_offline: boolean
  readonly is_listed: boolean
  readonly is_above: boolean
  /** Another process announces with the credential, on another port. */
  readonly is_shared: boolean
  /** The digests of credential and bound address, separated by spaces. */
  readonly binding: string | null
}

export const NEVER_ANNOUNCED: LiveState = { is_offline: false, is_listed: false, is_above: false, is_shared: false, binding: null }

export interface Thresholds {
  readonly offline_after_seconds: number
  readonly players_above: number | null
}

export interface Look {
  readonly now: number
  readonly uptime: number
  readonly ttlMs: number
}

export function isSameState(one: LiveState, other: LiveState): boolean {
  return (
    one.is_offline === other.is_offline &&
    one.is_listed === other.is_listed &&
    one.is_above === other.is_above &&
    one.is_shared === other.is_shared &&
    one.binding === other.binding
  )
}

/** @param before undefined at the first look. */
export function nextState(server: ServerRecord, before: LiveState | undefined, thresholds: Thresholds, look: Look): LiveState {
  const { online, announced } = server
  const isSilent = announced !== undefined && !online && look.now - silentSince(server, look) >= thresholds.offline_after_seconds * 1000
  const isAbove = thresholds.players_above !== null && (announced?.playersCount ?? 0) > thresholds.players_above
  return {
    is_offline: online ? false : isSilent || before?.is_offline === true,
    // While a server is offline, these keep their values, so that a restart publishes nothing.
    is_listed: online ? server.isListed : before?.is_listed === true,
    is_above: online ? isAbove : before?.is_above === true,
    is_shared: online ? isShared(server, look.uptime, look.ttlMs) : before?.is_shared === true,
    binding:
      bindingsOf(server)
        .map(([, digest]) => digest)
        .join(' ') || null,
  }
}

/** The time of the last announce is saved only every few minutes, so after a restart of this program it can be too early. */
function silentSince({ lastAnnounceAt, since, endedBy }: ServerRecord, { ttlMs }: Look): number {
  return Math.max(lastAnnounceAt, endedBy === 'EXPIRED' ? since - ttlMs : since)
}

/** A digest for each bound address of the current credential. */
function bindingsOf({ credentials }: ServerRecord): (readonly [Family, digest: string])[] {
  const current = credentials.find((credential) => credential.graceUntil === undefined)
  if (current === undefined) return []
  return FAMILIES.flatMap((family) => {
    const address = current.bound[family]
    return address === undefined ? [] : [[family, digestOfBinding(current.id, address)] as const]
  })
}

/** The bindings that are new. A binding that moves has an event of its own (core/servers/bound-addresses.ts). */
function newBindingsOf(server: ServerRecord, before: string | null): (readonly [Family, digest: string])[] {
  const known = before === null ? [] : before.split(' ')
  const bindings = bindingsOf(server)
  const hasMoved = server.fields.addressPolicy === 'follow' && known.length >= bindings.length
  return hasMoved ? [] : bindings.filter(([, digest]) => !known.includes(digest))
}

export const digestOfBinding = (credentialId: string, address: string): string =>
  hash('sha256', `${credentialId} ${address}`, 'base64url').slice(0, 16)

export function eventsBetween(server: ServerRecord, before: LiveState, next: LiveState, look: Look): PublicEvent[] {
  const { publicId, name, ownerId } = server.fields
  const event = (type: PublicEventType, data: PublicEvent['data'] = {}) => ({ type, ownerId, server: { public_id: publicId, name }, data })
  const events: PublicEvent[] = []
  for (const [family] of newBindingsOf(server, before.binding)) events.push(event('address.bound', { family }))
  // Its owner knows of the ban.
  if (next.is_offline !== before.is_offline && !server.isBanned) {
    const lastAnnounce = { last_announce_at: new Date(server.lastAnnounceAt).toISOString() }
    const silent = {
      silent_seconds: Math.floor((look.now - silentSince(server, look)) / 1000),
      on_purpose: server.endedBy === 'LEFT',
    }
    events.push(next.is_offline ? event('server.offline', { ...lastAnnounce, ...silent }) : event('server.online', lastAnnounce))
  }
  if (next.is_listed !== before.is_listed) events.push(event(next.is_listed ? 'server.listed' : 'server.unlisted'))
  if (next.is_shared && !before.is_shared)
    events.push(event('credential.shared', { port: server.announced?.port, other_ports: otherPortsOf(server, look.uptime, look.ttlMs) }))
  if (next.is_above && !before.is_above)
    events.push(
      event('players.threshold', { players: server.announced?.playersCount ?? 0, max_players: server.announced?.maxPlayersCount ?? 0 }),
    )
  return events
}
