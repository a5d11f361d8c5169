/** Sends deliveries, and decides from each reply whether to try again. */
import { sql } from 'kysely'
import { lockWebhook } from '#backend/platform/database/lock-order.ts'
import { v7 as uuidv7 } from 'uuid'
import { m } from '#api-messages'
import { TEST_EVENT_TYPE } from '#contract/events/public-events.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound, tooManyRequests } from '#backend/platform/errors.ts'
import { createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import { currentTraceparent } from '#backend/platform/trace.ts'
import { BY_SYSTEM, recordEvent } from '#backend/core/events/events.ts'
import { type Attempt, type Target, endOf, pauseOf, sendAttempt } from './attempt.ts'
import { bodyFor } from './bodies.ts'
import {
  type DeliveryRow,
  type Pending,
  countBacklog,
  deleteDelivery,
  dropPending,
  insertTestDelivery,
  updatePending,
} from './deliveries.queries.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { blockDiscordUrl, takeDiscordSlot } from './discord-limit.ts'
import { newEventId } from './publish.ts'
import { DISABLE_AFTER_DAYS, nextAttemptAfter } from './retry-schedule.ts'
import { type WebhookRow, listLanguages, updateWebhook } from './webhooks.queries.ts'

const GONE = 410
const TOO_MANY = 429

const OUTCOMES = ['succeeded', 'retried', 'failed', 'deferred'] as const
type Outcome = (typeof OUTCOMES)[number]

type Parts = Pick<Deps, 'db' | 'env' | 'clock' | 'log' | 'postPublic'>

export class WebhookSender {
  readonly #deps: Parts
  readonly queue: DeliveryQueue
  /** The operator chose the URL, so it may be private. */
  readonly #postToOperator = createPostPublic({}, true)
  readonly #operatorOutage: OutageLog
  readonly #onOutcome: (ownerId: string) => void
  readonly #counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  /** As of the last `measureBacklog`. */
  backlog = { pending: 0, overdue: 0 }

  /** @param onOutcome called with the user whose log has a new outcome. */
  constructor(deps: Parts, onOutcome: (ownerId: string) => void) {
    this.#deps = deps
    this.#onOutcome = onOutcome
    this.queue = new DeliveryQueue(deps.db, (pending) => this.#deliver(pending))
    const [begin, end] = ['operator webhook failed, will retry', 'operator webhook works again']
    this.#operatorOutage = new OutageLog({ log: deps.log, begin, end })
  }

  /** Attempts since the start, by outcome. */
  get counts(): ReadonlyMap<Outcome, number> {
    return this.#counts
  }

  async measureBacklog(): Promise<void> {
    this.backlog = await countBacklog(this.#deps.db)
  }

  /** If it fails, the delivery is due again when its claim expires. */
  async #deliver(pending: Pending): Promise<void> {
    try {
      const outcome = await this.#attempt(pending)
      if (outcome === undefined) return
      this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
      // A deferred delivery is not an attempt.
      if (outcome !== 'deferred' && pending.owner_id !== null) this.#onOutcome(pending.owner_id)
    } catch (error) {
      // `DatabaseHealth` reports outages.
      const level = failureKind(error) === undefined ? 'error' : 'info'
      this.#deps.log[level]({ err: error }, 'delivery could not be recorded, will send it again')
    }
  }

  /** Undefined if the delivery no longer waits. */
  async #attempt(pending: Pending): Promise<Outcome | undefined> {
    const { db, env, clock, postPublic } = this.#deps
    const isForOperator = pending.owner_id === null
    const target = isForOperator ? { ...pending, kind: env.OPERATOR_WEBHOOK_URL_KIND, url: env.OPERATOR_WEBHOOK_URL ?? '' } : pending
    if (target.url === '') return dropUnwanted(db, pending)
    const freeAt = await takeSlot(db, target)
    if (freeAt !== undefined) return transaction(db, (trx) => defer(trx, pending, freeAt))
    const attempt = await sendAttempt(isForOperator ? this.#postToOperator : postPublic, clock, target)
    if (isForOperator && attempt.error === undefined) this.#operatorOutage.succeeded()
    else if (isForOperator) this.#operatorOutage.failed({ reason: attempt.error })
    if (target.kind !== 'discord' || attempt.response?.status !== TOO_MANY) return transaction(db, (trx) => record(trx, pending, attempt))
    const blockedUntil = await blockDiscordUrl(db, target.url, attempt.response.retryAfterSeconds)
    return transaction(db, (trx) => defer(trx, pending, blockedUntil, attempt))
  }

  /** Sends a test event at once. Returns the finished delivery. Throws `notFound` if the webhook is deleted meanwhile. */
  async sendTest(webhook: WebhookRow): Promise<DeliveryRow> {
    const { db, env, clock, postPublic } = this.#deps
    const eventId = newEventId()
    const createdAt = new Date(clock.now())
    const language = (await listLanguages(db, [webhook])).get(webhook.id)
    const body = bodyFor(webhook.kind, env, { id: eventId, type: TEST_EVENT_TYPE, at: createdAt }, language)
    const target = { ...webhook, event_id: eventId, body, traceparent: currentTraceparent() ?? null }
    const freeAt = await takeSlot(db, target)
    if (freeAt !== undefined) throw tooManyRequests(Math.max(1, Math.ceil((freeAt.getTime() - clock.now()) / 1000)))
    const attempt = await sendAttempt(postPublic, clock, target)
    return transaction(db, async (trx) => {
      if ((await lockWebhook(trx, webhook.owner_id, webhook.id)) === undefined) throw notFound('WEBHOOK_NOT_FOUND')
      await updateWebhook(trx, webhook.id, lastAttempt(attempt))
      return insertTestDelivery(trx, {
        id: uuidv7(),
        webhook_id: webhook.id,
        event_id: eventId,
        event_type: TEST_EVENT_TYPE,
        body,
        state: attempt.error === undefined ? 'succeeded' : 'failed',
        attempt: 1,
        ...columnsOf(attempt),
        request_headers: { ...attempt.headers },
      })
    })
  }
}

/** The operator no longer has a webhook. */
async function dropUnwanted(db: Db, { id, webhook_id: webhookId }: Pending): Promise<undefined> {
  await deleteDelivery(db, id)
  await updateWebhook(db, webhookId, CLAIM_ENDED)
}

/** Until when Discord's limit makes it wait; undefined for now. */
const takeSlot = (db: Db, { kind, url }: Pick<Target, 'kind' | 'url'>) => (kind === 'discord' ? takeDiscordSlot(db, url) : undefined)

/** The webhook waits without counting an attempt, so its deliveries keep their order. */
async function defer(
  trx: Db,
  { webhook_id: id, owner_id: ownerId }: Pending,
  until: Date,
  attempt?: Attempt,
): Promise<Outcome | undefined> {
  const webhook = await lockWebhook(trx, ownerId, id)
  if (webhook === undefined) return undefined
  if (attempt !== undefined && (await disableIfFailing(trx, webhook, attempt))) return 'failed'
  // The database has microseconds.
  await updateWebhook(trx, id, { ...CLAIM_ENDED, paused_until: new Date(until.getTime() + 1) })
  return 'deferred'
}

/** Stores the result of an attempt and plans the next one. Undefined if the delivery no longer waits: the webhook is deleted or disabled. */
async function record(trx: Db, pending: Pending, attempt: Attempt): Promise<Outcome | undefined> {
  const { id, webhook_id: webhookId, owner_id: ownerId } = pending
  const webhook = await lockWebhook(trx, ownerId, webhookId)
  if (webhook === undefined) return undefined
  const count = pending.attempt + 1
  const isSuccess = attempt.error === undefined
  const next = isSuccess ? undefined : laterOf(nextAttemptAfter(count, endOf(attempt)), pauseOf(attempt))
  const state = isSuccess ? 'succeeded' : next === undefined ? 'failed' : 'pending'
  const columns = { ...columnsOf(attempt), request_headers: JSON.stringify(attempt.headers) }
  const wasPending = await updatePending(trx, id, { ...columns, state, attempt: count, next_attempt_at: next ?? null })
  // Also if the delivery was skipped meanwhile: a receiver that answers is not failing.
  const isDisabled = await disableIfFailing(trx, webhook, attempt)
  if (!wasPending) return undefined
  // The operator has no log.
  if (ownerId === null && next === undefined) await deleteDelivery(trx, id)
  return isSuccess ? 'succeeded' : next === undefined || isDisabled ? 'failed' : 'retried'
}

/** Stores the result of an attempt at the webhook. Returns whether that disabled it. */
async function disableIfFailing(trx: Db, webhook: WebhookRow, attempt: Attempt): Promise<boolean> {
  const failingSince = attempt.error === undefined ? null : (webhook.failing_since ?? attempt.attemptedAt)
  await updateWebhook(trx, webhook.id, {
    ...CLAIM_ENDED,
    ...lastAttempt(attempt),
    failing_since: failingSince,
    paused_until: pauseOf(attempt) ?? null,
  })
  const reason = reasonToDisable(webhook.kind, attempt, failingSince)
  if (reason === undefined || !webhook.enabled || webhook.owner_id === null) return false
  await disable(trx, webhook, reason)
  return true
}

const DAY_MS = 86_400_000
/** Discord's error code 10015. It counts calls of deleted webhooks against the sender. */
const UNKNOWN_WEBHOOK = /"code"\s*:\s*10015\b/

function reasonToDisable(kind: string, { response, attemptedAt }: Attempt, failingSince: Date | null): string | undefined {
  if (response?.status === GONE) return m.delivery_gone({}, STORED)
  if (kind === 'discord' && response !== undefined) {
    if (response.status === 404 && UNKNOWN_WEBHOOK.test(response.body)) return m.delivery_discord_unknown({}, STORED)
    if (response.status === 401 || response.status === 403) return m.delivery_discord_rejected({ status: response.status }, STORED)
  }
  if (failingSince !== null && attemptedAt.getTime() - failingSince.getTime() >= DISABLE_AFTER_DAYS * DAY_MS)
    return m.delivery_failing_for_days({ count: DISABLE_AFTER_DAYS }, STORED)
  return undefined
}

async function disable(trx: Db, { id, owner_id: ownerId, name }: WebhookRow, reason: string): Promise<void> {
  await updateWebhook(trx, id, { enabled: false, disabled_reason: reason })
  await dropPending(trx, id)
  await recordEvent(trx, { action: 'WEBHOOK_DISABLED', ...BY_SYSTEM, ownerId, after: { name, reason } })
}

function columnsOf({ attemptedAt, durationMs, response, error }: Attempt) {
  return {
    attempted_at: attemptedAt,
    duration_ms: durationMs,
    response_status: response?.status ?? null,
    response_body: response?.body ?? null,
    error: error ?? null,
  }
}

const CLAIM_ENDED = { claimed_until: sql<Date>`now()` }

const lastAttempt = ({ attemptedAt, response }: Attempt) => ({ last_attempt_at: attemptedAt, last_status: response?.status ?? null })

/** Undefined if the first is. */
const laterOf = (date: Date | undefined, other: Date | undefined) =>
  date === undefined || other === undefined || date > other ? date : other
