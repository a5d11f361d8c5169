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

/** Notes an announce on a port. @param uptime milliseconds. @param ttl milliseconds. */
export function noteProcess(server: ServerRecord, port: number, uptime: number, ttl: number): Process {
  const current = server.announced?.port
  if (!server.online || current === undefined) server.others = undefined
  const { others } = server
  // Nearly every announce.
  if (others === undefined && (port === current || !server.online)) return 'owner'
  for (const [other, seenAt] of others?.seen ?? []) if (uptime - seenAt >= ttl) others?.seen.delete(other)
  const isOwnerSilent = uptime - server.lastAnnounceUptime >= ttl
  const isShared = others?.isShared === true && others.seen.size > 0 && !isOwnerSilent
  if (port === current || current === undefined) {
    if (others?.seen.size === 0) server.others = undefined
    return 'owner'
  }
  if (isShared) {
    others.seen.set(port, uptime)
    return 'other'
  }
  const isBack = others?.seen.delete(port) === true
  const seen = others?.seen ?? new Map<number, number>()
  if (!isOwnerSilent) seen.set(current, server.lastAnnounceUptime)
  server.others = { seen, isShared: isBack && !isOwnerSilent }
  return 'owner'
}

/** Another node received an announce on this port, which is not the entry's. */
export function noteOtherPort(server: ServerRecord, port: number, uptime: number): void {
  if (!server.online || port === server.announced?.port) return
  server.others = { seen: new Map([...(server.others?.seen ?? []), [port, uptime]]), isShared: true }
}

/** Another node changed the port of the entry. @param previous its port until now. */
export function notePreviousPort(server: ServerRecord, previous: number, uptime: number): void {
  const seen = server.others?.seen ?? new Map<number, number>()
  seen.delete(server.announced?.port ?? 0)
  seen.set(previous, uptime)
  server.others = { seen, isShared: server.others?.isShared === true }
}

export const isShared = ({ others }: ServerRecord) => others?.isShared === true && others.seen.size > 0

/** The ports of other processes that announce in turn with the entry's. */
export const otherPortsOf = (server: ServerRecord): number[] => (isShared(server) ? [...(server.others?.seen.keys() ?? [])] : [])

/** The port of another process that announces in turn with the entry's. */
export function otherPortOf({ others }: ServerRecord, uptime: number, ttl: number): number | undefined {
  if (others?.isShared !== true) return undefined
  return [...others.seen].findLast(([, seenAt]) => uptime - seenAt < ttl)?.[0]
}
