/** What an operator must do about each part of the installation, by plain thresholds. */
import { m } from '#api-messages'
import { STATES, type Guide, type State } from '#contract/status/status.ts'
import type { Certificate } from '#backend/platform/certificate.ts'
import type { RepeatedCheck } from '#backend/platform/concurrency/repeated-check.ts'
import { RELEASE } from '#backend/platform/version.ts'
import type { Database } from './health.ts'
import type { JobFigures, NodeFigures } from './node-figures.ts'
import {
  CERTIFICATE_END_MS,
  CERTIFICATE_NOTICE_MS,
  LOW_FREE_BYTES,
  MAX_BACKUP_AGE_MS,
  MAX_CLOCK_OFFSET_MS,
  MAX_CLOCK_SKEW_MS,
  MAX_DELETION_DELAY_MS,
  MAX_JOB_DELAY_MS,
  MAX_LATENCY_MS,
  MAX_LIST_AGE_MS,
  MAX_PUBLISH_AGE_MS,
  MIN_FREE_BYTES,
  OLD_BACKUP_AGE_MS,
} from './thresholds.ts'

export interface Finding {
  readonly state: State
  readonly advice: string | null
}

const FINE: Finding = { state: 'fine', advice: null }
const watch = (advice: string): Finding => ({ state: 'watch', advice })
const act = (advice: string): Finding => ({ state: 'act', advice })

const weightOf = ({ state }: Finding) => STATES.indexOf(state)

/** Negative if the first is more urgent. */
export const byUrgency = (one: Finding, other: Finding): number => weightOf(other) - weightOf(one)

/** The most urgent; of equal ones the first. */
const worst = (...findings: readonly Finding[]): Finding => findings.toSorted(byUrgency)[0] ?? FINE

export const withGuide = (finding: Finding, guide: Guide) => ({ ...finding, guide })

/** A node without a heartbeat for this long is cut off or dead. It disappears from the table after a minute. */
const SILENT_AFTER_MS = 10_000

export interface NodeRow {
  readonly release: string
  /** How long ago its last heartbeat was. */
  readonly silentMs: number
  /** Undefined for a node of another release, whose figures may have another form. */
  readonly figures: NodeFigures | undefined
}

export function findingOfNode({ release, silentMs, figures }: NodeRow): Finding {
  if (silentMs > SILENT_AFTER_MS) return act(m.status_node_silent())
  const offset = Math.abs(figures?.clock_offset_ms ?? 0)
  return worst(
    figures?.is_disconnected === true ? act(m.status_node_disconnected()) : FINE,
    findingOfList(figures?.list_age_ms ?? 0),
    offset > MAX_CLOCK_SKEW_MS ? act(m.status_node_clock()) : offset > MAX_CLOCK_OFFSET_MS ? watch(m.status_node_clock()) : FINE,
    release === RELEASE ? FINE : watch(m.status_node_release()),
  )
}

export function findingOfList(ageMs: number): Finding {
  return ageMs > MAX_LIST_AGE_MS ? act(m.status_node_list_old()) : FINE
}

export function findingOfJob({ failing_since: failingSince, overdue_ms: overdueMs }: JobFigures, now: number): Finding {
  if (failingSince !== null) return (now - failingSince > MAX_JOB_DELAY_MS ? act : watch)(m.status_job_failing())
  return overdueMs > MAX_JOB_DELAY_MS ? act(m.status_job_late()) : FINE
}

/** @param isLost whether queries are rejected because it does not answer. */
export function findingOfDatabase({ value, hasEnded }: RepeatedCheck<Database>, isLost: boolean): Finding {
  if (isLost || (hasEnded && value === undefined)) return act(m.status_database_silent())
  if (value?.isReadOnly === true) return act(m.status_database_read_only())
  return (value?.latencyMs ?? 0) > MAX_LATENCY_MS ? watch(m.status_database_slow()) : FINE
}

export function findingOfDeliveries(overdue: number): Finding {
  return overdue > 0 ? watch(m.status_deliveries_overdue()) : FINE
}

export function findingOfDeletions(oldestDueAt: Date | null, now: number, advice: () => string): Finding {
  return oldestDueAt !== null && now - oldestDueAt.getTime() > MAX_DELETION_DELAY_MS ? act(advice()) : FINE
}

/** @param isGrowing whether DATA_DIR holds the database or images. */
export function findingOfStorage({ disk, images_answer: imagesAnswer }: NodeFigures, isGrowing: boolean, hasChecked: boolean): Finding {
  const free = disk?.free ?? Infinity
  return worst(
    disk === null && hasChecked ? act(m.status_disk_silent()) : FINE,
    free < MIN_FREE_BYTES ? act(m.status_disk_low()) : free < LOW_FREE_BYTES && isGrowing ? watch(m.status_disk_low()) : FINE,
    imagesAnswer === false ? act(m.status_images_silent()) : FINE,
  )
}

/** @param newestAt of all nodes; undefined without one. @param upMs how long this node runs. */
export function findingOfBackup(isConfigured: boolean, newestAt: number | undefined, now: number, upMs: number): Finding {
  if (!isConfigured) return watch(m.status_backup_not_set())
  if (newestAt === undefined) return upMs > MAX_DELETION_DELAY_MS ? act(m.status_backup_none()) : watch(m.status_backup_none())
  const ageMs = now - newestAt
  return ageMs > OLD_BACKUP_AGE_MS ? act(m.status_backup_old()) : ageMs > MAX_BACKUP_AGE_MS ? watch(m.status_backup_old()) : FINE
}

interface SignedListState {
  readonly end: { readonly hasEnded: boolean; readonly endsSoon: boolean } | undefined
  readonly publishes: boolean
  readonly publishedAt: number | undefined
}

export function findingOfSignedList({ end, publishes, publishedAt }: SignedListState, now: number, upMs: number): Finding {
  const ageMs = publishedAt === undefined ? upMs : now - publishedAt
  return worst(
    end?.hasEnded === true ? act(m.status_key_ended()) : end?.endsSoon === true ? watch(m.status_key_ends()) : FINE,
    publishes && ageMs > MAX_PUBLISH_AGE_MS ? act(m.status_publish_old()) : FINE,
  )
}

export function findingOfCertificate({ value, hasEnded }: RepeatedCheck<Certificate>, now: number): Finding {
  if (value === undefined) return hasEnded ? watch(m.status_certificate_silent()) : FINE
  const leftMs = value.endsAt - now
  return worst(
    leftMs < CERTIFICATE_END_MS
      ? act(m.status_certificate_ends())
      : leftMs < CERTIFICATE_NOTICE_MS
        ? watch(m.status_certificate_ends())
        : FINE,
    value.isTrusted ? FINE : watch(m.status_certificate_untrusted()),
  )
}
