/** Sends deliveries: signs, posts, and decides from the reply whether to try again. */
import { lockWebhook } from '#backend/platform/database/lock-order.ts'
import { hash } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import { v7 as uuidv7 } from 'uuid'
import { m } from '#api-messages'
import { TEST_EVENT_TYPE } from '#contract/public-events.ts'
import { readDiscordWebhookUrl } from '#contract/webhooks.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AppError, notFound, tooManyRequests } from '#backend/platform/errors.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { bodyFor } from './bodies.ts'
import { listLanguages } from './languages.queries.ts'
import { enqueueAttempts, newEventId } from './publish.ts'
import { DISABLE_AFTER_DAYS, nextAttemptAfter } from './retry-schedule.ts'
import {
  type DeliveryRow,
  type WebhookRow,
  blockDiscordUrl,
  countPending,
  deferPending,
  dropPending,
  findPending,
  insertTestDelivery,
  takeDiscordSlot,
  updatePending,
  updateWebhook,
} from './webhooks.queries.ts'

const TIMEOUT_MS = 10_000
/** Discord: at most 30 messages a minute per webhook. */
const DISCORD_LIMIT = { count: 30, seconds: 60 }
const MAX_WAIT_SECONDS = 86_400
/** The longest pause that a receiver can ask for with `Retry-After`. */
const MAX_PAUSE_SECONDS = 3600
const GONE = 410
const TOO_MANY = 429

type Pending = NonNullable<Awaited<ReturnType<typeof findPending>>>
type Secrets = Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_secret_until' | 'older_secrets'>
type Target = Pick<Pending, 'kind' | 'url' | 'event_id' | 'body'> & Secrets

/** What one attempt did. */
interface Attempt {
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly response: { readonly status: number; readonly body: string; readonly retryAfterSeconds: number | undefined } | undefined
  /** Undefined after a success. */
  readonly error: string | undefined
}

const OUTCOMES = ['succeeded', 'retried', 'failed', 'deferred'] as const
type Outcome = (typeof OUTCOMES)[number]

export class WebhookSender {
  readonly #deps: Pick<Deps, 'db' | 'env' | 'clock' | 'postPublic'>
  readonly #counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  /** Deliveries that wait for an attempt, as of the last `measureBacklog`. */
  backlog = 0

  constructor(deps: Pick<Deps, 'db' | 'env' | 'clock' | 'postPublic'>) {
    this.#deps = deps
  }

  /** Attempts since the start, by outcome. */
  get counts(): ReadonlyMap<Outcome, number> {
    return this.#counts
  }

  async measureBacklog(): Promise<void> {
    this.backlog = await countPending(this.#deps.db)
  }

  /** The job. Does nothing if the delivery no longer waits. Returns the user whose log has a new outcome. */
  async deliver(id: string): Promise<string | undefined> {
    const pending = await findPending(this.#deps.db, id)
    if (pending === undefined) return undefined
    const outcome = await this.#attempt(pending)
    if (outcome !== undefined) this.#count(outcome)
    return outcome === undefined || outcome === 'deferred' ? undefined : pending.owner_id
  }

  /** Undefined if the delivery no longer waits. */
  async #attempt(pending: Pending): Promise<Outcome | undefined> {
    const freeAt = pending.paused_until ?? (await this.#takeSlot(pending))
    if (freeAt !== undefined) return this.#defer(pending, freeAt)
    const attempt = await this.#send(pending)
    if (pending.kind === 'discord' && attempt.response?.status === TOO_MANY)
      return this.#defer(pending, await this.#block(pending, attempt), attempt)
    return transaction(this.#deps.db, (trx) => record(trx, pending, attempt))
  }

  /** Sends a test event at once. Returns the finished delivery. Throws `notFound` if the webhook is deleted meanwhile. */
  async sendTest(webhook: WebhookRow): Promise<DeliveryRow> {
    const { db, env, clock } = this.#deps
    const eventId = newEventId()
    const createdAt = new Date(clock.now())
    const language = (await listLanguages(db, [webhook])).get(webhook.id)
    const body = bodyFor(webhook.kind, env, { id: eventId, type: TEST_EVENT_TYPE, at: createdAt }, language)
    const target = { ...webhook, event_id: eventId, body }
    const freeAt = await this.#takeSlot(target)
    if (freeAt !== undefined) throw tooManyRequests(Math.max(1, Math.ceil((freeAt.getTime() - clock.now()) / 1000)))
    const attempt = await this.#send(target)
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

  #count(outcome: Outcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
  }

  /** Until when Discord's limit makes it wait; undefined for now. */
  async #takeSlot({ kind, url }: Pick<Target, 'kind' | 'url'>): Promise<Date | undefined> {
    if (kind !== 'discord') return undefined
    return takeDiscordSlot(this.#deps.db, discordDigest(url), DISCORD_LIMIT.count, DISCORD_LIMIT.seconds)
  }

  async #block({ url }: Pick<Target, 'url'>, { response }: Attempt): Promise<Date> {
    const seconds = Math.min(response?.retryAfterSeconds ?? DISCORD_LIMIT.seconds, MAX_WAIT_SECONDS)
    return blockDiscordUrl(this.#deps.db, discordDigest(url), seconds)
  }

  /** Waits without counting an attempt, and so do the webhook's next deliveries, so that all keep their order. */
  async #defer({ id, webhook_id: webhookId, owner_id: ownerId }: Pending, freeAt: Date, attempt?: Attempt): Promise<Outcome | undefined> {
    // The database has microseconds.
    const runAt = new Date(freeAt.getTime() + 1)
    return transaction(this.#deps.db, async (trx) => {
      const webhook = await lockWebhook(trx, ownerId, webhookId)
      if (webhook === undefined) return undefined
      if (attempt !== undefined && (await disableIfFailing(trx, webhook, attempt))) return 'failed'
      await enqueueAttempts(trx, await deferPending(trx, webhookId, id, runAt), runAt)
      return 'deferred'
    })
  }

  async #send({ url, body, ...target }: Target): Promise<Attempt> {
    const { clock, postPublic } = this.#deps
    const [attemptedAt, startedAt] = [new Date(clock.now()), clock.uptime()]
    const headers = headersOf({ ...target, body }, attemptedAt)
    const done = (rest: Pick<Attempt, 'response' | 'error'>): Attempt => {
      const durationMs = Math.round(clock.uptime() - startedAt)
      return { attemptedAt, durationMs, headers: withoutSignature(headers), ...rest }
    }
    try {
      const { status, headers: replyHeaders, body: excerpt } = await postPublic(url, { headers, body, timeoutMs: TIMEOUT_MS })
      // Postgres can't store NUL in a text.
      const text = excerpt.toString('utf8').replaceAll('\0', '\uFFFD')
      return done({
        response: { status, body: text, retryAfterSeconds: retryAfterOf(target.kind, replyHeaders, text, clock.now()) },
        error: errorOf(status),
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return done({ response: undefined, error: error.message })
    }
  }
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
  if (next !== undefined && !isDisabled) await enqueueAttempts(trx, [pending], next)
  return isSuccess ? 'succeeded' : next === undefined || isDisabled ? 'failed' : 'retried'
}

/** Stores the result of an attempt at the webhook. Returns whether that disabled it. */
async function disableIfFailing(trx: Db, webhook: WebhookRow, attempt: Attempt): Promise<boolean> {
  const failingSince = attempt.error === undefined ? null : (webhook.failing_since ?? attempt.attemptedAt)
  // Discord has its own, by its ID: a second one, on another clock, would change the order.
  const pause = webhook.kind === 'discord' ? undefined : pauseOf(attempt)
  await updateWebhook(trx, webhook.id, { ...lastAttempt(attempt), failing_since: failingSince, paused_until: pause ?? null })
  const reason = reasonToDisable(webhook.kind, attempt, failingSince)
  if (reason === undefined || !webhook.enabled) return false
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

const lastAttempt = ({ attemptedAt, response }: Attempt) => ({ last_attempt_at: attemptedAt, last_status: response?.status ?? null })

function headersOf({ kind, event_id: id, body, ...secrets }: Omit<Target, 'url'>, at: Date): Record<string, string> {
  const headers = { 'content-type': 'application/json' }
  if (kind === 'discord') return headers
  return {
    ...headers,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signingSecrets(secrets, at)
      .map((each) => new Signer(each).sign(id, at, body))
      .join(' '),
  }
}

function signingSecrets(
  { secret, previous_secret: previous, previous_secret_until: until, older_secrets: older }: Secrets,
  at: Date,
): string[] {
  const formers = [{ secret: previous, until: until ?? 0 }, ...older].filter((former) => new Date(former.until) > at)
  return [secret, ...formers.map((former) => former.secret)].filter((each) => each !== null)
}

/** A log with signatures would let its readers replay deliveries. */
function withoutSignature({ 'webhook-signature': signature, ...headers }: Record<string, string>): Record<string, string> {
  return signature === undefined ? headers : { ...headers, 'webhook-signature': 'v1,…' }
}

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return m.delivery_redirects({}, STORED)
  return m.delivery_status({ status }, STORED)
}

const endOf = ({ attemptedAt, durationMs }: Attempt) => new Date(attemptedAt.getTime() + durationMs)

/** Until when the receiver of a failed attempt asks to wait. */
function pauseOf(attempt: Attempt): Date | undefined {
  const seconds = attempt.error === undefined ? undefined : attempt.response?.retryAfterSeconds
  return seconds === undefined ? undefined : new Date(endOf(attempt).getTime() + Math.min(seconds, MAX_PAUSE_SECONDS) * 1000)
}

/** Undefined if the first is. */
const laterOf = (date: Date | undefined, other: Date | undefined) =>
  date === undefined || other === undefined || date > other ? date : other

/** Seconds, from Discord's body or the header, which has seconds or a date. */
function retryAfterOf(
  kind: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now: number,
): number | undefined {
  const inBody = kind === 'discord' ? /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(body)?.[1] : undefined
  const text = inBody ?? headers['retry-after']
  if (typeof text !== 'string') return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** One webhook has many spellings, such as other hosts, versions and threads. */
const discordDigest = (url: string) => hash('sha256', readDiscordWebhookUrl(url)?.id ?? url, 'buffer')
