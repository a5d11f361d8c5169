/**
 * Event streams of open panels. Panels load their data with ordinary API calls, so a lost event delays an update but never bypasses access checks.
 * Changes made by API calls go to the panels of all nodes. Changes that every node detects go only to its own panels: `send`, `invalidateHere`.
 */
import { CONCURRENCY } from '#contract/api/limits.ts'
import { AccountEvent, type InvalidationKey } from '#contract/masterlist/live.ts'
import { DEFAULT_LANGUAGE, type Language } from '#contract/text/panel-languages.ts'
import { managersAmong } from '#backend/core/managers/managers.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { EventStream } from '#backend/platform/http/event-stream.ts'

interface OpenPanels {
  /** Each with the language of its texts. */
  readonly streams: Map<EventStream, Language>
  /** Owners whose servers they show too. */
  readonly owners: Set<string>
}

export class Live {
  readonly #bus: Bus
  readonly #deps: Pick<Deps, 'db' | 'log'>
  /** By user. */
  readonly #panels = new Map<string, OpenPanels>()

  constructor({ bus, ...deps }: Pick<Deps, 'bus' | 'db' | 'log'>) {
    this.#bus = bus
    this.#deps = deps
    bus.on('invalidate', ({ userIds, changed }) => this.invalidateHere(userIds, changed as readonly InvalidationKey[]))
    bus.on('invalidateManagers', ({ ownerId, changed }) => this.#invalidateManagersHere(ownerId, changed as readonly InvalidationKey[]))
    bus.on('followOwners', ({ userId, ownerIds }) => this.followHere(userId, ownerIds))
    bus.on('panelEvent', ({ userId, event, data }) => this.send(userId, event, data))
    bus.on('endStreams', ({ userId }) => {
      if (userId !== undefined) this.#disconnectHere(userId)
    })
  }

  /** Closes the oldest stream above the limit, so that frequent reloads don't lock a user out. */
  add(userId: string, stream: EventStream, language: Language = DEFAULT_LANGUAGE): void {
    const panels = this.#panels.get(userId) ?? { streams: new Map<EventStream, Language>(), owners: new Set<string>() }
    const { streams } = panels
    this.#panels.set(userId, panels)
    streams.set(stream, language)
    stream.onClose(() => {
      streams.delete(stream)
      if (streams.size === 0) this.#panels.delete(userId)
    })
    if (streams.size > CONCURRENCY['panel-streams'].max) streams.keys().next().value?.close()
  }

  /** Makes a manager's panels follow these owners until the last panel closes. Grants are checked again at every change. */
  follow(userId: string, ownerIds: readonly string[]): void {
    this.followHere(userId, ownerIds)
    if (ownerIds.length > 0) this.#bus.publish('followOwners', { userId, ownerIds })
  }

  /** Like `follow`, for this node's panels only. */
  followHere(userId: string, ownerIds: readonly string[]): void {
    for (const ownerId of ownerIds) this.#panels.get(userId)?.owners.add(ownerId)
  }

  /** Users with an open panel who may be managers of this owner; verify in the database. */
  managersOf(ownerId: string): string[] {
    return [...this.#panels].flatMap(([userId, { owners }]) => (owners.has(ownerId) ? [userId] : []))
  }

  /** Whether any open panel shows this owner's servers. Otherwise a server's change needs no query. */
  isFollowed(ownerId: string): boolean {
    return this.#panels.has(ownerId) || [...this.#panels.values()].some(({ owners }) => owners.has(ownerId))
  }

  /** The languages of the panels that show this owner's servers. */
  languagesOf(ownerId: string): Language[] {
    return [ownerId, ...this.managersOf(ownerId)].flatMap((userId) => [...(this.#panels.get(userId)?.streams.values() ?? [])])
  }

  /** @param only panels in this language receive the event. */
  send(userId: string, event: string, data: unknown, only?: Language): void {
    for (const [stream, language] of this.#panels.get(userId)?.streams ?? [])
      if (only === undefined || language === only) stream.send(event, data)
  }

  /** Like `send`, for the panels of all nodes. */
  sendEverywhere(userId: string, event: string, data: Readonly<Record<string, unknown>>): void {
    this.send(userId, event, data)
    this.#bus.publish('panelEvent', { userId, event, data })
  }

  invalidate(userIds: readonly string[], changed: readonly InvalidationKey[]): void {
    this.invalidateHere(userIds, changed)
    if (userIds.length > 0) this.#bus.publish('invalidate', { userIds, changed })
  }

  /** Like `invalidate`, for this node's panels only. */
  invalidateHere(userIds: readonly string[], changed: readonly InvalidationKey[], only?: Language): void {
    for (const userId of new Set(userIds)) this.send(userId, 'account', AccountEvent.parse({ changed }), only)
  }

  /** Like `invalidate`, for the owner's current managers. Never rejects; without the database their panels update later. */
  async invalidateManagers(ownerId: string, changed: readonly InvalidationKey[]): Promise<void> {
    this.#bus.publish('invalidateManagers', { ownerId, changed })
    await this.#invalidateManagersHere(ownerId, changed)
  }

  async #invalidateManagersHere(ownerId: string, changed: readonly InvalidationKey[]): Promise<void> {
    try {
      const managers = await managersAmong(this.#deps.db, ownerId, this.managersOf(ownerId))
      this.invalidateHere(
        managers.map((manager) => manager.manager_id),
        changed,
      )
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'could not notify open panels')
    }
  }

  /** Makes a user's panels reload the account, and closes their streams. */
  disconnect(userId: string): void {
    this.#disconnectHere(userId)
    this.#bus.publish('endStreams', { userId })
  }

  #disconnectHere(userId: string): void {
    this.invalidateHere([userId], ['me'])
    for (const stream of this.#panels.get(userId)?.streams.keys() ?? []) stream.close()
  }
}
