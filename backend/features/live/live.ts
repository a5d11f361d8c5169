/**
 * Open panels. What a panel shows it loads by an ordinary call, so a lost event costs a moment and never a right. What a call changed goes
 * to the panels of all nodes; what each node finds out by itself goes to its own, by `send` and `invalidateHere`.
 */
import { AccountEvent, type InvalidationKey } from '#contract/live.ts'
import { managersAmong } from '#backend/features/managers/managers.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { EventStream } from '#backend/platform/http/event-stream.ts'

/** Tabs of one person; each holds a connection. */
const MAX_STREAMS_PER_USER = 12

export class Live {
  readonly #bus: Bus
  readonly #deps: Pick<Deps, 'db' | 'log'>
  readonly #streams = new Map<string, Set<EventStream>>()
  /** Whose servers the people with a panel open manage. */
  readonly #ownersOf = new Map<string, Set<string>>()
  /** The same by owner, so that a server's change asks nothing of the database where nobody looks. */
  readonly #managersOf = new Map<string, Set<string>>()

  constructor({ bus, ...deps }: Pick<Deps, 'bus' | 'db' | 'log'>) {
    this.#bus = bus
    this.#deps = deps
    bus.on('invalidate', ({ userIds, changed }) => this.invalidateHere(userIds, changed as readonly InvalidationKey[]))
    bus.on('invalidateManagers', ({ ownerId, changed }) => this.#invalidateManagersHere(ownerId, changed as readonly InvalidationKey[]))
    bus.on('followOwners', ({ userId, ownerIds }) => this.followHere(userId, ownerIds))
    bus.on('endStreams', ({ userId }) => {
      if (userId !== undefined) this.#disconnectHere(userId)
    })
  }

  /** The oldest stream gives way: a person who reloads often must not be locked out. */
  add(userId: string, stream: EventStream): void {
    const own = this.#streams.get(userId) ?? new Set()
    this.#streams.set(userId, own)
    own.add(stream)
    stream.onClose(() => {
      own.delete(stream)
      if (own.size > 0) return
      this.#streams.delete(userId)
      this.#unfollow(userId)
    })
    if (own.size > MAX_STREAMS_PER_USER) own.values().next().value?.close()
  }

  /** A person manages for these owners. It only adds, until their last panel closes: one owner too many is found out when a server changes. */
  follow(userId: string, ownerIds: readonly string[]): void {
    this.followHere(userId, ownerIds)
    if (ownerIds.length > 0) this.#bus.publish('followOwners', { userId, ownerIds })
  }

  /** The same on this node alone, as when a panel opens. */
  followHere(userId: string, ownerIds: readonly string[]): void {
    if (!this.#streams.has(userId)) return
    const owners = this.#ownersOf.get(userId) ?? new Set()
    this.#ownersOf.set(userId, owners)
    for (const ownerId of ownerIds) {
      owners.add(ownerId)
      this.#managersOf.set(ownerId, (this.#managersOf.get(ownerId) ?? new Set()).add(userId))
    }
  }

  #unfollow(userId: string): void {
    for (const ownerId of this.#ownersOf.get(userId) ?? []) {
      const managers = this.#managersOf.get(ownerId)
      managers?.delete(userId)
      if (managers?.size === 0) this.#managersOf.delete(ownerId)
    }
    this.#ownersOf.delete(userId)
  }

  /** Who has a panel open and may manage for this owner; whether they do is the database's to say. */
  managersOf(ownerId: string): string[] {
    return [...(this.#managersOf.get(ownerId) ?? [])]
  }

  /** Whether somebody has a panel open who sees this owner's servers. */
  isFollowed(ownerId: string): boolean {
    return this.#streams.has(ownerId) || this.#managersOf.has(ownerId)
  }

  send(userId: string, event: string, data: unknown): void {
    for (const stream of this.#streams.get(userId) ?? []) stream.send(event, data)
  }

  invalidate(userIds: readonly string[], changed: readonly InvalidationKey[]): void {
    this.invalidateHere(userIds, changed)
    if (userIds.length > 0) this.#bus.publish('invalidate', { userIds, changed })
  }

  /** The same on this node alone. */
  invalidateHere(userIds: readonly string[], changed: readonly InvalidationKey[]): void {
    for (const userId of new Set(userIds)) this.send(userId, 'account', AccountEvent.parse({ changed }))
  }

  /** The same for all who manage for this owner now. A database that is away costs them a moment and the caller nothing. */
  async invalidateManagers(ownerId: string, changed: readonly InvalidationKey[]): Promise<void> {
    this.#bus.publish('invalidateManagers', { ownerId, changed })
    await this.#invalidateManagersHere(ownerId, changed)
  }

  async #invalidateManagersHere(ownerId: string, changed: readonly InvalidationKey[]): Promise<void> {
    try {
      const managers = await managersAmong(this.#deps.db, ownerId, this.managersOf(ownerId))
      this.invalidateHere(
        managers.map((one) => one.manager_id),
        changed,
      )
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'A change could not be told to open panels.')
    }
  }

  /** Closes all streams of a person. Their panels load the account first. */
  disconnect(userId: string): void {
    this.#disconnectHere(userId)
    this.#bus.publish('endStreams', { userId })
  }

  #disconnectHere(userId: string): void {
    this.invalidateHere([userId], ['me'])
    for (const stream of this.#streams.get(userId) ?? []) stream.close()
  }
}
