/**
 * All reactions to domain events, in the transaction and after the commit. Not here: when the master list reloads a
 * server, it also notifies the detectors (`AnnounceObserver`) and open panels (`ChangeFeed`).
 */
import { m } from '#api-messages'
import { INVALIDATION_KEYS, type InvalidationKey } from '#contract/masterlist/live.ts'
import { BENEFIT_FIELDS, type BenefitField } from '#contract/servers/server-field-shapes.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { removeFromSettings } from '#backend/core/benefits/benefits.ts'
import { BY_SYSTEM, type DomainEvent, type EventHandler, type EventType } from '#backend/core/events/events.ts'
import type { Live } from '#backend/services/live/live.ts'
import { deleteAllManagerGrantsOf } from '#backend/core/managers/managers.ts'
import { transferIssues } from '#backend/core/protection/issue-transfer.ts'
import { reopenIssuesOfRestored, resolveIssuesOf, resolveIssuesOfDeleted } from '#backend/core/protection/resolution.ts'
import { decideReports, moveReports, resolveReportsOfBanned } from '#backend/core/reports/outcomes.ts'
import { listServers } from '#backend/core/servers/servers.ts'
import { stopWatching } from '#backend/services/webhooks/server-watcher.ts'
import { withdrawTransferOfServer, withdrawTransfersOf } from '#backend/core/transfers/withdrawal.ts'
import type { RefreshList } from '#backend/masterlist/refresh-list.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Log } from '#backend/platform/log.ts'

interface Reactions {
  /** Run in this order in the transaction of the change, before the event's row is written. */
  readonly inTransaction?: readonly ((trx: Db, event: DomainEvent) => Promise<unknown>)[]
  /** Servers that the list reloads before the caller gets a reply. Computed in the transaction, so that nothing can fail after the commit. */
  readonly refresh?: (event: DomainEvent, trx: Db) => readonly string[] | Promise<readonly string[]>
  /** What open panels reload, and whose panels. */
  readonly invalidate?: readonly ((event: DomainEvent) => Invalidation)[]
  /** What the open panels of the owner's managers reload. */
  readonly invalidateManagers?: readonly InvalidationKey[]
  /** The other user's open panels subscribe to the owner's servers. */
  readonly followsOwner?: true
  readonly disconnectOwner?: true
}

interface Invalidation {
  readonly userIds: readonly (string | null | undefined)[]
  readonly keys: readonly InvalidationKey[]
}

type RecipientsOf = (event: DomainEvent) => Invalidation['userIds']

const owner: RecipientsOf = ({ ownerId }) => [ownerId]
const other: RecipientsOf = ({ otherId }) => [otherId]
const both: RecipientsOf = ({ ownerId, otherId }) => [ownerId, otherId]
const ownerAndManager: RecipientsOf = ({ as, ownerId, actorId }) => (as === 'manager' ? [ownerId, actorId] : [ownerId])

const reload =
  (recipientsOf: RecipientsOf, ...keys: readonly InvalidationKey[]) =>
  (event: DomainEvent) => ({ userIds: recipientsOf(event), keys })

/** The benefits page lists the servers that use each benefit, so it reloads when a benefit's field is set or cleared. */
const reloadBenefitsIfChanged = (event: DomainEvent) => {
  const isChanged = (field: BenefitField) => event.after?.[field] !== undefined
  return { userIds: ownerAndManager(event), keys: BENEFIT_FIELDS.some(isChanged) ? (['benefits'] as const) : [] }
}

const affected = ({ server, servers = [] }: DomainEvent) => [...(server === undefined ? [] : [server.public_id]), ...servers]
const serversOfOwner = async ({ ownerId }: DomainEvent, trx: Db) =>
  ownerId === null ? [] : (await listServers(trx, ownerId)).map((server) => server.public_id)

const withdrawOffer = (trx: Db, { as, actorId, ...event }: DomainEvent) => withdrawTransferOfServer(trx, idOf(event), { as, actorId })
/** As the system, so that the other side does not learn of a ban or an erasure. */
const withdrawOffers = (trx: Db, { ownerId }: DomainEvent) => withdrawTransfersOf(trx, ownerId ?? '', BY_SYSTEM)
const deleteManagerGrants = (trx: Db, { ownerId }: DomainEvent) => deleteAllManagerGrantsOf(trx, ownerId ?? '')
const resolveIssues = (trx: Db, event: DomainEvent) => resolveIssuesOfDeleted(trx, idOf(event), event.actorId)
const reopenIssues = (trx: Db, event: DomainEvent) => reopenIssuesOfRestored(trx, idOf(event))
const resolveAddressMismatch = (reason: string) => (trx: Db, event: DomainEvent) =>
  resolveIssuesOf(trx, { publicId: idOf(event), kind: 'ADDRESS_MISMATCH', reason, causedBy: event.actorId })
const moveIssues = (trx: Db, event: DomainEvent) => transferIssues(trx, idOf(event), event.otherId ?? '')
const restartWatching = (trx: Db, event: DomainEvent) => stopWatching(trx, idOf(event))
const removeFromBenefitSettings = (trx: Db, event: DomainEvent) => removeFromSettings(trx, idOf(event))

const idOf = ({ server }: Pick<DomainEvent, 'server'>): string => server?.public_id ?? ''

const NOTHING: Reactions = {}
/** Includes `servers`, because the change feed can take up to a second. */
const BAN: Reactions = { refresh: affected, invalidate: [reload(owner, 'servers', 'activity')] }
/** Pending offers are pinned in the inbox. */
const OFFER: Reactions = { invalidate: [reload(both, 'servers', 'activity', 'notifications')] }
const MANAGER: Reactions = { invalidate: [reload(owner, 'me', 'activity'), reload(other, 'me', 'servers', 'activity')] }
const BENEFIT: Reactions = {
  refresh: serversOfOwner,
  invalidate: [reload(owner, 'me', 'servers', 'benefits', 'activity')],
  invalidateManagers: ['benefits'],
}
/** An account without Discord shows the name of one of them. */
const IDENTITY: Reactions = { invalidate: [reload(owner, 'me', 'identities', 'activity')] }
const API_KEY: Reactions = { invalidate: [reload(owner, 'api_keys', 'activity')] }
const WEBHOOK: Reactions = { invalidate: [reload(owner, 'activity', 'webhooks')] }
/** Issues without an answer are pinned in the inbox. */
const ISSUE_MESSAGE: Reactions = { invalidate: [reload(owner, 'protection', 'activity', 'notifications')] }
const ISSUE: Reactions = { ...ISSUE_MESSAGE, refresh: affected }
const ISSUE_DECIDED: Reactions = { ...ISSUE, inTransaction: [decideReports] }

export const REACTIONS: Readonly<Record<EventType, Reactions>> = {
  SERVER_CREATED: { refresh: affected, invalidate: [reload(owner, 'servers', 'activity'), reloadBenefitsIfChanged] },
  SERVER_CHANGED: { refresh: affected, invalidate: [reload(ownerAndManager, 'activity'), reloadBenefitsIfChanged] },
  SERVER_DELETED: {
    inTransaction: [withdrawOffer, resolveIssues, restartWatching],
    refresh: affected,
    invalidate: [reload(owner, 'servers', 'activity', 'benefits', 'protection')],
  },
  SERVER_RESTORED: {
    inTransaction: [reopenIssues],
    refresh: affected,
    invalidate: [reload(owner, 'servers', 'activity', 'benefits', 'protection')],
  },
  SERVER_PURGED: { invalidate: [reload(owner, 'servers', 'activity')] },
  SERVER_BANNED: {
    ...BAN,
    inTransaction: [resolveReportsOfBanned],
    invalidate: [reload(owner, 'servers', 'activity', 'protection', 'notifications')],
  },
  SERVER_UNBANNED: BAN,
  CREDENTIAL_REISSUED: {
    inTransaction: [resolveAddressMismatch(m.resolution_reissued({}, STORED))],
    refresh: affected,
    invalidate: [reload(ownerAndManager, 'activity', 'protection')],
  },
  CREDENTIAL_LEAKED: {
    inTransaction: [resolveAddressMismatch(m.resolution_revoked({}, STORED))],
    refresh: affected,
    invalidate: [reload(owner, 'servers', 'activity', 'protection')],
  },
  /** `server-watcher.ts` publishes it. */
  ADDRESS_BOUND: { invalidate: [reload(owner, 'servers', 'activity')] },
  ADDRESS_MOVED: { refresh: affected, invalidate: [reload(owner, 'servers', 'activity')] },
  ADDRESS_RESET: {
    inTransaction: [resolveAddressMismatch(m.resolution_address_reset({}, STORED))],
    refresh: affected,
    invalidate: [reload(ownerAndManager, 'activity', 'protection')],
  },

  TRANSFER_OFFERED: OFFER,
  TRANSFER_CANCELLED: OFFER,
  TRANSFER_DECLINED: OFFER,
  TRANSFER_LAPSED: OFFER,
  TRANSFER_ACCEPTED: {
    inTransaction: [moveIssues, moveReports, removeFromBenefitSettings, restartWatching],
    refresh: affected,
    invalidate: [reload(both, 'servers', 'activity', 'benefits', 'protection', 'notifications')],
  },

  MANAGER_GRANTED: { ...MANAGER, followsOwner: true },
  MANAGER_CHANGED: { ...MANAGER, followsOwner: true },
  MANAGER_REVOKED: MANAGER,
  /** The manager stopped managing, or their account was erased. */
  MANAGER_REFUSED: MANAGER,

  ACCOUNT_CREATED: NOTHING,
  /** The route closes the streams of the ended sessions (`endStreamsOf`). */
  SESSION_ENDED: { invalidate: [reload(owner, 'sessions', 'activity')] },
  SESSIONS_ENDED: { invalidate: [reload(owner, 'sessions', 'activity')] },
  IDENTITY_LINKED: IDENTITY,
  IDENTITY_UNLINKED: IDENTITY,
  RECOVERY_LINK_CREATED: { invalidate: [reload(owner, 'activity')] },
  RECOVERY_LINK_USED: { invalidate: [reload(owner, 'sessions', 'activity')] },
  PREFERENCES_CHANGED: { invalidate: [reload(owner, 'preferences', 'activity')] },
  ACCOUNT_DELETION_REQUESTED: { disconnectOwner: true },
  ACCOUNT_DELETION_CANCELLED: { invalidate: [reload(owner, 'me', 'activity')] },
  ACCOUNT_ERASED: { inTransaction: [withdrawOffers, deleteManagerGrants], refresh: serversOfOwner, disconnectOwner: true },
  ACCOUNT_BANNED: { inTransaction: [withdrawOffers], refresh: serversOfOwner, disconnectOwner: true },
  ACCOUNT_UNBANNED: { refresh: serversOfOwner, invalidate: [reload(owner, 'me', 'servers', 'activity')] },
  API_KEY_CREATED: API_KEY,
  API_KEY_REVOKED: API_KEY,
  API_KEY_LEAKED: API_KEY,
  LIMITS_CHANGED: { invalidate: [reload(owner, 'me', 'servers', 'activity')] },

  BENEFIT_GRANTED: BENEFIT,
  BENEFIT_TAKEN: BENEFIT,
  TIER_CHANGED: BENEFIT,
  BENEFIT_SETTINGS_CHANGED: { refresh: affected, invalidate: [reload(owner, 'servers', 'benefits', 'activity')] },

  GROUP_CREATED: { invalidate: [reload(owner, 'benefits', 'activity')], invalidateManagers: ['benefits'] },
  GROUP_RENAMED: { refresh: affected, invalidate: [reload(owner, 'benefits', 'activity', 'servers')], invalidateManagers: ['benefits'] },
  GROUP_DELETED: { refresh: affected, invalidate: [reload(owner, 'benefits', 'activity', 'servers')], invalidateManagers: ['benefits'] },

  ISSUE_OPENED: ISSUE,
  ISSUE_REPEATED: { refresh: affected, invalidate: [reload(owner, 'protection')] },
  ISSUE_CONSEQUENCE_CHANGED: ISSUE,
  ISSUE_RESOLVED: ISSUE_DECIDED,
  ISSUE_DISMISSED: ISSUE_DECIDED,
  ISSUE_REOPENED: ISSUE_DECIDED,
  ISSUE_ACKNOWLEDGED: ISSUE_MESSAGE,
  ISSUE_REPLIED: ISSUE_MESSAGE,
  // Only administrators can see notes.
  ISSUE_NOTED: NOTHING,

  // The owner's side is the server's issue.
  SERVER_REPORTED: { invalidate: [reload(owner, 'activity')] },

  WEBHOOK_CREATED: WEBHOOK,
  WEBHOOK_CHANGED: WEBHOOK,
  WEBHOOK_DELETED: WEBHOOK,
  WEBHOOK_SECRET_ROTATED: WEBHOOK,
  WEBHOOK_DISABLED: WEBHOOK,
}

interface Targets {
  /** Publishes an event to webhooks and inboxes, in its transaction. Returns the notified users. */
  readonly publish: (trx: Db, event: DomainEvent) => Promise<readonly string[]>
  readonly refreshList: RefreshList
  readonly live: Pick<Live, 'invalidate' | 'invalidateManagers' | 'follow' | 'disconnect'>
}

/** Dispatches events according to `REACTIONS`. After `close` nothing is dispatched, because the list and the panels are closed. */
export function createSubscribers(log: Log, { publish, refreshList, live }: Targets): EventHandler & { close(): void } {
  const refreshes = new WeakMap<DomainEvent, readonly string[]>()
  const notified = new WeakMap<DomainEvent, readonly string[]>()
  let isClosed = false

  const invalidateAll = (events: readonly DomainEvent[]) => {
    const keysByUser = new Map<string, Set<InvalidationKey>>()
    const invalidations = events.flatMap((event): Invalidation[] => [
      ...(REACTIONS[event.action].invalidate?.map((of) => of(event)) ?? []),
      { userIds: notified.get(event) ?? [], keys: ['notifications'] },
    ])
    for (const { userIds, keys } of invalidations)
      for (const userId of userIds)
        if (userId != null && keys.length > 0) keysByUser.set(userId, new Set([...(keysByUser.get(userId) ?? []), ...keys]))
    // Users with the same keys share one message.
    for (const group of Map.groupBy(keysByUser, ([, keys]) => [...keys].toSorted().join()).values())
      live.invalidate(
        group.map(([userId]) => userId),
        INVALIDATION_KEYS.filter((key) => group[0]?.[1].has(key)),
      )
  }

  return {
    async inTransaction(trx, event) {
      const { inTransaction = [], refresh } = REACTIONS[event.action]
      if (refresh !== undefined) refreshes.set(event, await refresh(event, trx))
      for (const react of inTransaction) await react(trx, event)
      notified.set(event, await publish(trx, event))
    },

    async dispatch(events) {
      if (isClosed) return
      try {
        // First, so that reloading panels see the same state as players.
        await refreshList(...new Set(events.flatMap((event) => refreshes.get(event) ?? [])))
        invalidateAll(events)
        for (const { action, ownerId, otherId } of events) {
          const { followsOwner, disconnectOwner, invalidateManagers = [] } = REACTIONS[action]
          if (ownerId === null) continue
          if (followsOwner && otherId !== undefined) live.follow(otherId, [ownerId])
          if (disconnectOwner) live.disconnect(ownerId)
          if (invalidateManagers.length > 0) await live.invalidateManagers(ownerId, invalidateManagers)
        }
      } catch (error) {
        log.error({ err: error }, 'events could not be dispatched')
      }
    },

    close() {
      isClosed = true
    },
  }
}
