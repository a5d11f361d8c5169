/**
 * Which process a server's entry belongs to, if several announce with its credential. One change of port is a restart. If an earlier port comes
 * back, there are two processes: the entry stays with the one that was there first until it is silent for the time to live.
 */
import type { ServerRecord } from './server-record.ts'

/** The other ports of a server. */
export interface OtherProcesses {
  /** By port: the uptime of the last announce, and the wall time since when it announces. */
  readonly ports: Map<number, { readonly seen: number; readonly since: number }>
  /** Whether they announce in turn with the entry's. */
  isShared: boolean
}

/** Whose an announce is. If the entry's process is back, `since` is when it was there first. */
export interface Process {
  readonly isOther: boolean
  readonly since?: number | undefined
}

export const OWNER: Process = { isOther: false }
const OTHER: Process = { isOther: true }

interface Moment {
  readonly uptime: number
  readonly now: number
}

/** Notes an announce of an online server on a port. @param ttl milliseconds. */
export function noteProcess(server: ServerRecord, port: number, { uptime, now }: Moment, ttl: number): Process {
  const current = server.announced?.port ?? port
  // Nearly every announce.
  if (server.others === undefined && port === current) return OWNER
  const others = othersOf(server, uptime, ttl)
  if (port === current) return OWNER
  const isOwnerSilent = uptime - server.lastAnnounceUptime >= ttl
  const known = others.ports.get(port)
  const isInTurn = !isOwnerSilent && (known !== undefined || others.isShared)
  const since = known?.since ?? now
  others.isShared = isInTurn
  if (isInTurn && since >= server.endpointSince) {
    others.ports.set(port, { seen: uptime, since })
    return OTHER
  }
  others.ports.delete(port)
  if (!isOwnerSilent) others.ports.set(current, { seen: server.lastAnnounceUptime, since: server.endpointSince })
  return isInTurn ? { isOther: false, since } : OWNER
}

/** Without those that have been silent for the time to live. */
function othersOf(server: ServerRecord, uptime: number, ttl: number): OtherProcesses {
  const others = (server.others ??= { ports: new Map(), isShared: false })
  for (const [port, { seen }] of others.ports) if (uptime - seen >= ttl) others.ports.delete(port)
  if (others.ports.size === 0) others.isShared = false
  return others
}

/** Another node received an announce on this port, which is not the entry's. */
export function noteOtherPort(server: ServerRecord, port: number, { uptime, now }: Moment, ttl: number): void {
  if (!server.online || port === server.announced?.port) return
  const others = othersOf(server, uptime, ttl)
  others.ports.set(port, { seen: uptime, since: others.ports.get(port)?.since ?? now })
  others.isShared = true
}

interface NextState {
  readonly online: boolean
  readonly announced: { readonly port: number }
}

/** Another node's state is about to replace the entry's: its port until now may be another process's. */
export function notePortOf(server: ServerRecord, next: NextState, { uptime }: Moment, ttl: number): void {
  const { announced, online } = server
  if (!online || !next.online || announced === undefined || announced.port === next.announced.port) return
  const { ports } = othersOf(server, uptime, ttl)
  ports.delete(next.announced.port)
  ports.set(announced.port, { seen: server.lastAnnounceUptime, since: server.endpointSince })
}

export function forgetPort({ others }: ServerRecord, port: number): void {
  others?.ports.delete(port)
  if (others?.ports.size === 0) others.isShared = false
}

/** The ports of other processes that announced within the time to live, in turn with the entry's. */
export function otherPortsOf({ others }: ServerRecord, uptime: number, ttl: number): number[] {
  if (others?.isShared !== true) return []
  return [...others.ports].filter(([, { seen }]) => uptime - seen < ttl).map(([port]) => port)
}

export const otherPortOf = (server: ServerRecord, uptime: number, ttl: number) => otherPortsOf(server, uptime, ttl).at(-1)

export const isShared = (server: ServerRecord, uptime: number, ttl: number) => otherPortsOf(server, uptime, ttl).length > 0
