/** Messages between the nodes on one database. A single node sends nothing and waits for nothing. */

import type { Family } from '#backend/platform/http/client-address.ts'

/** The topics and their JSON data. Messages must stay small: each is a PostgreSQL notification. */
export interface Topics {
  /** Servers whose row, credentials or owner changed and were committed: reload them. */
  readonly refresh: { readonly publicIds: readonly string[] }
  /** Servers whose live state was saved: load it. */
  readonly presence: { readonly publicIds: readonly string[] }
  /** Servers whose latest announces changed nothing. `at`: wall milliseconds, no later than the first of these announces. */
  readonly heartbeat: { readonly publicIds: readonly string[]; readonly at: number; readonly family: Family }
  /** Another process announces with the server's credential on this port, or said goodbye. */
  readonly otherPort: { readonly publicId: string; readonly port: number; readonly hasLeft: boolean }
  /** Why the latest announce of each server was rejected, by public ID. `at`: wall milliseconds. */
  readonly rejected: {
    readonly rejections: Readonly<
      Record<string, { readonly code: string; readonly address: string; readonly detail: string; readonly at: number }>
    >
  }
  /** Tokens taken from a rate limit, by key. */
  readonly rateLimit: { readonly limit: string; readonly keys: Readonly<Record<string, number>> }
  /** What the open panels of these users must reload. */
  readonly invalidate: { readonly userIds: readonly string[]; readonly changed: readonly string[] }
  /** What the open panels of the owner's managers must reload. */
  readonly invalidateManagers: { readonly ownerId: string; readonly changed: readonly string[] }
  /** A user wants to know whether players reach a server: the node that asks servers does so now. */
  readonly endpointTest: { readonly publicId: string; readonly userId: string }
  /** An event for the open panels of a user. */
  readonly panelEvent: { readonly userId: string; readonly event: string; readonly data: Readonly<Record<string, unknown>> }
  /** The user now manages the servers of these owners: the user's open panels follow them. */
  readonly followOwners: { readonly userId: string; readonly ownerIds: readonly string[] }
  /** Close the open streams of a user (banned, erased or scheduled for deletion) or of one session (signed out). */
  readonly endStreams: { readonly userId?: string; readonly sessionKey?: string }
}

export type Topic = keyof Topics

/** Why messages may be missing: this node was disconnected, or a publisher crashed or dropped messages. */
export type Gap = 'disconnected' | 'publisher_lost'

export type Handler<T extends Topic> = (data: Topics[T], from: string) => void | Promise<void>

export interface Bus {
  /** The id of this node; each start has a new one. */
  readonly node: string
  /** Whether other nodes are impossible. */
  readonly isSingleNode: boolean
  /** How many other nodes are alive; while disconnected, the last known number. */
  readonly livePeers: number
  /** How many other nodes had a database connection at the last heartbeat. A killed node has none. */
  readonly connectedPeers: number
  /** The uptime since which this node has been disconnected from the others; undefined while connected. */
  readonly disconnectedSince: number | undefined
  /** Whether other nodes are alive but sent nothing for seconds, so that messages may be missing. True before `disconnectedSince` is set. */
  readonly isSilent: boolean
  /** How far the database's wall clock is ahead of this node's; 0 for a single node. */
  readonly clockOffsetMs: number
  /**
   * Sends within milliseconds, or on reconnection. A full outbox drops messages, and the other nodes catch up through `onGap`.
   * `heartbeat`, `rejected` and `rateLimit` reach only nodes that are connected now, and are never repeated.
   */
  publish<T extends Topic>(topic: T, data: Topics[T]): void
  /** Resolves once every other live node has handled the message, or after a timeout. Never rejects. */
  publishAndWait<T extends Topic>(topic: T, data: Topics[T]): Promise<void>
  /** Receives the messages of other nodes, never this node's own. */
  on<T extends Topic>(topic: T, handler: Handler<T>): void
  /** Called when messages may be missing. Several gaps at once are reported as `disconnected`. A rejected handler is called again. */
  onGap(handler: (gap: Gap) => Promise<void>): void
  start(): Promise<void>
  close(): Promise<void>
}

/** The bus of a node with a database of its own, where other nodes are impossible. */
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
