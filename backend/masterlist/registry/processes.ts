/**
 * Which process a server's entry belongs to, if several announce with its credential. One change of port is a restart. If an earlier port comes
 * back, there are two processes: the entry stays with the one that was there first until it is silent for the time to live.
 */
import type { ServerRecord } from './server-record.ts'

/** `owner`: the announce is the entry's. `other`: it is another process's. */
export type Process = 'owner' | 'other'

/** The ports of a server's processes beside the entry's. */
export interface OtherProcesses {
  /** Uptime of the last announce, by port. */
  readonly seen: Map<number, number>
  /** Whether they announce in turn with the entry's. */
  isShared: boolean
}

/** Notes an announce of an online server on a port. @param uptime milliseconds. @param ttl milliseconds. */
export function noteProcess(server: ServerRecord, port: number, uptime: number, ttl: number): Process {
  const current = server.announced?.port ?? port
  // Nearly every announce.
  if (server.others === undefined && port === current) return 'owner'
  const others = othersOf(server, uptime, ttl)
  if (port === current) return 'owner'
  const isOwnerSilent = uptime - server.lastAnnounceUptime >= ttl
  if (others.isShared && !isOwnerSilent) {
    others.seen.set(port, uptime)
    return 'other'
  }
  others.isShared = others.seen.delete(port) && !isOwnerSilent
  if (!isOwnerSilent) others.seen.set(current, server.lastAnnounceUptime)
  return 'owner'
}

/** Without those that have been silent for the time to live. */
function othersOf(server: ServerRecord, uptime: number, ttl: number): OtherProcesses {
  const others = (server.others ??= { seen: new Map(), isShared: false })
  for (const [port, seenAt] of others.seen) if (uptime - seenAt >= ttl) others.seen.delete(port)
  if (others.seen.size === 0) others.isShared = false
  return others
}

/** Another node received an announce on this port, which is not the entry's. */
export function noteOtherPort(server: ServerRecord, port: number, uptime: number): void {
  if (!server.online || port === server.announced?.port) return
  server.others ??= { seen: new Map(), isShared: true }
  server.others.seen.set(port, uptime)
  server.others.isShared = true
}

/** Another node's state is about to replace the entry's: its port until now may be another process's. */
export function notePortOf(server: ServerRecord, next: { readonly online: boolean; readonly announced: { readonly port: number } }): void {
  const { announced, online } = server
  if (!online || !next.online || announced === undefined || announced.port === next.announced.port) return
  server.others ??= { seen: new Map(), isShared: false }
  server.others.seen.delete(next.announced.port)
  server.others.seen.set(announced.port, server.lastAnnounceUptime)
}

export const isShared = ({ others }: ServerRecord) => others?.isShared === true

/** The ports of other processes that announce in turn with the entry's. */
export const otherPortsOf = ({ others }: ServerRecord): number[] => (others?.isShared === true ? [...others.seen.keys()] : [])

/** The port of another process that announced within the time to live, in turn with the entry's. */
export function otherPortOf({ others }: ServerRecord, uptime: number, ttl: number): number | undefined {
  if (others?.isShared !== true) return undefined
  return [...others.seen].findLast(([, seenAt]) => uptime - seenAt < ttl)?.[0]
}
