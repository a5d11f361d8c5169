/** Notifies the operators, at `OPERATOR_WEBHOOK_URL`, of new protection issues, reports and failing jobs. */
import { m } from '#api-messages'
import { ISSUES } from '#contract/issue-kinds.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { inEnglish } from '#backend/platform/messages/language.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { addJobs } from '#backend/platform/queue/job-queue.ts'
import type { DomainEvent } from '#backend/features/events/events.ts'
import { bodyFor } from './bodies.ts'
import { newEventId } from './publish.ts'

export const OPERATOR_TASK = 'notify-operator'
const TIMEOUT_MS = 10_000

/** The payload of the job. */
export interface OperatorMessage {
  readonly id: string
  readonly body: string
}

type Parts = Pick<Deps, 'db' | 'env' | 'clock' | 'log'>

export class OperatorAlerts {
  readonly #deps: Parts
  /** The operator chose the URL, so it may be private. */
  readonly #post = createPostPublic({}, true)

  constructor(deps: Parts) {
    this.#deps = deps
  }

  /** In the transaction of the event. */
  async publish(trx: Db, event: DomainEvent): Promise<void> {
    // Without an owner, it is a hidden issue of reports that moves with its server.
    if (event.action === 'ISSUE_OPENED' && event.ownerId !== null) await this.#issueOpened(trx, event)
    if (event.action === 'SERVER_REPORTED') await this.#serverReported(trx, event)
  }

  async #issueOpened(trx: Db, { ownerId, server, after }: DomainEvent): Promise<void> {
    const { kind, issue_id: issueId } = after ?? {}
    const name = Object.entries(ISSUES).find(([key]) => key === kind)?.[1].name
    await this.#enqueue(trx, 'operator.issue_opened', {
      ...(server && { server }),
      path: pathOf(issueId, ownerId),
      data: { issue_id: issueId, kind, summary: name && inEnglish(name) },
    })
  }

  /** Without the reporter and their details, which only administrators may read. Reports that don't count send nothing. */
  async #serverReported(trx: Db, { server, after, countedIn }: DomainEvent): Promise<void> {
    if (countedIn === undefined) return
    const { issueId, ownerId, reports } = countedIn
    const reason = String(after?.['report_reason'])
    const values = { reason: reason.replaceAll('_', ' '), count: reports }
    await this.#enqueue(trx, 'operator.server_reported', {
      ...(server && { server }),
      path: pathOf(issueId, ownerId),
      data: { issue_id: issueId, reason, reports, summary: m.event_operator_server_reported_summary(values, STORED) },
    })
  }

  /** Never rejects: the database may be what fails. */
  async jobFailed(job: string): Promise<void> {
    try {
      await this.#enqueue(this.#deps.db, 'operator.job_failed', {
        data: { job, summary: m.event_operator_job_failed_name({ job }, STORED) },
      })
    } catch (error) {
      this.#deps.log.info({ err: error, job }, 'operator could not be notified')
    }
  }

  /** The job. Throws if the receiver does not accept the message; the queue then tries again later. */
  async deliver({ id, body }: OperatorMessage): Promise<void> {
    const { OPERATOR_WEBHOOK_URL: url } = this.#deps.env
    if (url === undefined) return
    const timestamp = String(Math.floor(this.#deps.clock.now() / 1000))
    const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp }
    const { status } = await this.#post(url, { headers, body, timeoutMs: TIMEOUT_MS })
    if (status < 200 || status > 299) throw new Error(`The operator's webhook answered with status ${status}.`)
  }

  async #enqueue(
    db: Db,
    type: 'operator.issue_opened' | 'operator.server_reported' | 'operator.job_failed',
    event: Pick<Parameters<typeof bodyFor>[2], 'server' | 'path' | 'data'>,
  ): Promise<void> {
    const { env, clock } = this.#deps
    if (env.OPERATOR_WEBHOOK_URL === undefined) return
    const id = newEventId()
    const body = bodyFor(env.OPERATOR_WEBHOOK_URL_KIND, env, { ...event, id, type, at: new Date(clock.now()) })
    await addJobs(db, OPERATOR_TASK, [{ payload: { id, body }, queue: 'operator', key: `operator:${id}` }])
  }
}

const pathOf = (issueId: unknown, ownerId: string | null) => `/admin/protection-issues/${String(issueId)}/users/${ownerId}`
