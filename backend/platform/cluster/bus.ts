/**
 * What the nodes on one database say to each other. The code above sees no difference between one node and many: alone, nothing is sent
 * and nothing waited for.
 */

/** One kind of message each, with what it carries (JSON). A message is small: it travels through the database as a notification. */
export interface Topics {
  /** Committed changes of servers, their credentials or owners: read them anew. */
  readonly refresh: { readonly publicIds: readonly string[] }
  /** Live states that were saved: read them. */
  readonly presence: { readonly publicIds: readonly string[] }
  /** Servers that announced within the last moments without a change. `at`: wall milliseconds, not after the first of these announces. */
  readonly seen: { readonly publicIds: readonly string[]; readonly at: number }
  /** Why announces were refused: the newest of each server, by its id. */
  readonly refused: { readonly refusals: Readonly<Record<string, Refused>> }
  /** What is taken from limits elsewhere, by the name of the limit, then `key` and how many. */
  readonly taken: { readonly limit: string; readonly keys: Readonly<Record<string, number>> }
  /** For the open panels of these people: read this anew. */
  readonly account: { readonly userIds: readonly string[]; readonly changed: readonly string[] }
  /** For the open panels of whoever manages for him: read this anew. */
  readonly managers: { readonly ownerId: string; readonly changed: readonly string[] }
  /** He manages for these from now on: his open panels hear of their servers. */
  readonly follow: { readonly userId: string; readonly ownerIds: readonly string[] }
  /** Their open panels end. */
  readonly end: { readonly userId?: string; readonly sessionKey?: string }
}

interface Refused {
  readonly code: string
  readonly address: string
  readonly detail: string
  /** Wall milliseconds. */
  readonly at: number
}

export type Topic = keyof Topics

/**
 * Why something may have been missed: this node heard nothing for a while, or another one may not have said all that it did (it went
 * without goodbye, or had more to say than is kept).
 */
export type Gap = 'deaf' | 'unsaid'

export type Handler<T extends Topic> = (said: Topics[T], from: string) => void | Promise<void>

export interface Bus {
  /** Names this life of this program among the others. */
  readonly node: string
  /** Whether there are no other nodes by the nature of the database. */
  readonly isAlone: boolean
  /** How many other nodes were heard within the last seconds; while cut off: before it was. */
  readonly others: number
  /** How many other nodes had a connection to the database at the last beat. A killed one has none any more. */
  readonly connected: number
  /** Since which uptime nothing is heard of the database; undefined while all is well, and always where a node is alone by its nature. */
  readonly cutOffSince: number | undefined
  /** Whether others live and nothing was heard of them for so long that what they say may not come through: before that counts as cut off. */
  readonly isUnheard: boolean
  /** By how many milliseconds the database's wall clock is ahead of this node's; 0 where a node is alone by its nature. */
  readonly clockAhead: number
  /**
   * Sends soon, together with what else is said in this moment, or once the connection is back. Where too much waits for that, it is dropped,
   * and all others catch up by `onGap`. `seen`, `refused` and `taken` are only for those who hear them now: nobody catches up with them.
   */
  say<T extends Topic>(topic: T, said: Topics[T]): void
  /** Sends and resolves once every other living node has handled it, or has had its time to. Never rejects. */
  tell<T extends Topic>(topic: T, said: Topics[T]): Promise<void>
  /** Hears what others say; never one's own. */
  on<T extends Topic>(topic: T, handler: Handler<T>): void
  /** Called wherever anything may have been missed; after more than one reason at once with `deaf`. Rejected, it is called again. */
  onGap(handler: (why: Gap) => Promise<void>): void
  start(): Promise<void>
  close(): Promise<void>
}

/** A node that is alone by its nature: it holds its database itself. */
export function aloneBus(node: string): Bus {
  return {
    node,
    isAlone: true,
    others: 0,
    connected: 0,
    cutOffSince: undefined,
    isUnheard: false,
    clockAhead: 0,
    say: () => undefined,
    tell: () => Promise.resolve(),
    on: () => undefined,
    onGap: () => undefined,
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
