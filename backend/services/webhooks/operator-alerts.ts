/** Notifies the operators, at `OPERATOR_WEBHOOK_URL`, of new protection issues, reports and failing jobs. */
import { v7 as uuidv7 } from 'uuid'
import { m } from '#api-messages'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { inEnglish } from '#backend/platform/messages/language.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { DomainEvent } from '#backend/core/events/events.ts'
import { bodyFor } from './bodies.ts'
import { type Outbox, enqueueDeliveries, newEventId } from './publish.ts'

/** The row of the operator's webhook, without an owner. Its URL is in the environment. */
const OPERATOR_WEBHOOK = '00000000-0000-0000-0000-000000000000'

type Parts = Pick<Deps, 'db' | 'env' | 'clock' | 'log'> & Pick<Outbox, 'queue'>

export class OperatorAlerts {
  readonly #deps: Parts

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
      const data = { job, summary: m.event_operator_job_failed_name({ job }, STORED) }
      await transaction(this.#deps.db, (trx) => this.#enqueue(trx, 'operator.job_failed', { data }))
    } catch (error) {
      this.#deps.log.info({ err: error, job }, 'operator could not be notified')
    }
  }

  async #enqueue(
    trx: Db,
    type: 'operator.issue_opened' | 'operator.server_reported' | 'operator.job_failed',
    event: Pick<Parameters<typeof bodyFor>[2], 'server' | 'path' | 'data'>,
  ): Promise<void> {
    const { env, clock, queue } = this.#deps
    if (env.OPERATOR_WEBHOOK_URL === undefined) return
    const id = newEventId()
    const body = bodyFor(env.OPERATOR_WEBHOOK_URL_KIND, env, { ...event, id, type, at: new Date(clock.now()) })
    await enqueueDeliveries(trx, { queue }, [{ id: uuidv7(), webhook_id: OPERATOR_WEBHOOK, event_id: id, event_type: type, body }])
  }
}

const pathOf = (issueId: unknown, ownerId: string | null) => `/admin/protection-issues/${String(issueId)}/users/${ownerId}`
