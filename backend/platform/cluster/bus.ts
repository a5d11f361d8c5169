/** Messages between the nodes on one database. A node that is alone sends nothing and waits for nothing. */

/** Each kind of message and what it carries (JSON). A message is small: it is a notification of the database. */
export interface Topics {
  /** Committed changes of servers, their credentials or owners: read them again. */
  readonly refresh: { readonly publicIds: readonly string[] }
  /** Live states that were saved: read them. */
  readonly presence: { readonly publicIds: readonly string[] }
  /** Servers whose last announces changed nothing. `at`: wall milliseconds, not after the first of these announces. */
  readonly heartbeat: { readonly publicIds: readonly string[]; readonly at: number }
  /** Why the newest announce of each server, by its id, was refused. `at`: wall milliseconds. */
  readonly rejected: {
    readonly rejections: Readonly<
      Record<string, { readonly code: string; readonly address: string; readonly detail: string; readonly at: number }>
    >
  }
  /** How many were taken from each key of a rate limit. */
  readonly rateLimit: { readonly limit: string; readonly keys: Readonly<Record<string, number>> }
  /** For the open panels of these people: what to read again. */
  readonly invalidate: { readonly userIds: readonly string[]; readonly changed: readonly string[] }
  /** For the open panels of the owner's managers: what to read again. */
  readonly invalidateManagers: { readonly ownerId: string; readonly changed: readonly string[] }
  /** The user manages for these owners from now on: their open panels follow the owners' servers. */
  readonly followOwners: { readonly userId: string; readonly ownerIds: readonly string[] }
  /** Close the open streams of a user (banned, leaving or erased), or of one session (signed out). */
  readonly endStreams: { readonly userId?: string; readonly sessionKey?: string }
}

export type Topic = keyof Topics

/** Why messages may be missing: this node heard nothing for a while (`disconnected`), or another one went without goodbye or dropped some (`publisher_lost`). */
export type Gap = 'disconnected' | 'publisher_lost'

export type Handler<T extends Topic> = (data: Topics[T], from: string) => void | Promise<void>

export interface Bus {
  /** The id of this node, new with each start. */
  readonly node: string
  /** Whether there can be no other nodes. */
  readonly isSingleNode: boolean
  /** How many other nodes were heard within the last seconds; while cut off: before it was. */
  readonly livePeers: number
  /** How many other nodes had a connection to the database at the last heartbeat. A killed one has none. */
  readonly connectedPeers: number
  /** Since which uptime nothing is heard of the database; undefined while all is well. */
  readonly disconnectedSince: number | undefined
  /** Whether others live and were not heard for so long that their messages may not come through: known before this counts as cut off. */
  readonly isSilent: boolean
  /** By how many milliseconds the database's wall clock is ahead of this node's; 0 where a node is alone by its nature. */
  readonly clockOffsetMs: number
  /**
   * Sends within milliseconds, or once the connection is back. If too much waits for that, messages are dropped, and the others catch up by
   * `onGap`. `heartbeat`, `rejected` and `rateLimit` are only for nodes that hear them now: nobody catches up with them.
   */
  publish<T extends Topic>(topic: T, said: Topics[T]): void
  /** Sends and resolves once every other living node has handled it, or has had its time to. Never rejects. */
  publishAndWait<T extends Topic>(topic: T, said: Topics[T]): Promise<void>
  /** Receives what other nodes send; never this node's own messages. */
  on<T extends Topic>(topic: T, handler: Handler<T>): void
  /** Called where anything may have been missed; with `disconnected` after several reasons at once. If it rejects, it is called again. */
  onGap(handler: (why: Gap) => Promise<void>): void
  start(): Promise<void>
  close(): Promise<void>
}

/** For a node that holds its database itself, so that there are no others. */
export function localBus(node: string): Bus {
  return {
    node,
    isSingleNode: true,
    livePeers: 0,
    connectedPeers: 0,
    disconnectedSince: undefined,
    isSilent: false,
    clockOffsetMs: 0,
    publish: () => undefined,
    publishAndWait: () => Promise.resolve(),
    on: () => undefined,
    onGap: () => undefined,
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
