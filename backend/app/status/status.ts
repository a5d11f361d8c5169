/** The state of the installation, for administrators: what this node and the others know of themselves. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { m } from '#api-messages'
import type { Status } from '#contract/status/status.ts'
import type { JobRunner } from '#backend/app/job-runner.ts'
import type { Services } from '#backend/app/services.ts'
import { keyEndOf } from '#backend/masterlist/signed/ending-key.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { RELEASE } from '#backend/platform/version.ts'
import {
  byUrgency,
  findingOfBackup,
  findingOfCertificate,
  findingOfDatabase,
  findingOfDeletions,
  findingOfDeliveries,
  findingOfJob,
  findingOfList,
  findingOfNode,
  findingOfSignedList,
  findingOfStorage,
  withGuide,
} from './findings.ts'
import { type JobFigures, NodeFigures } from './node-figures.ts'

/** Whatever takes longer shows as unknown. The whole reply takes less than a second. */
const MAX_WAIT_MS = 500

interface Node {
  readonly id: string
  readonly release: string
  readonly schemaLevel: number | null
  /** Wall milliseconds. */
  readonly startedAt: number
  readonly heartbeatAt: number
  readonly silentMs: number
  readonly figures: NodeFigures | undefined
}

type Parts = Pick<Services, 'list' | 'health' | 'webhooks' | 'signed' | 'publisher'> & { readonly jobs: Pick<JobRunner, 'runs'> }

const iso = (at: number | null | undefined) => (at == null ? null : new Date(at).toISOString())
const seconds = (ms: number | null | undefined) => (ms == null ? null : ms / 1000)

export async function readStatus(deps: Deps, parts: Parts): Promise<Status> {
  const now = deps.clock.now()
  const nodes = [thisNode(deps, parts, now), ...(await otherNodes(deps, now))]
  return {
    list: presentList(parts),
    nodes: nodes.map((node) => presentNode(node, node.id === deps.bus.node)),
    database: presentDatabase(deps, parts),
    jobs: presentJobs(nodes, now),
    ...presentBacklog(deps, parts, now),
    storage: presentStorage(deps, parts, nodes),
    ...presentCopies(deps, parts, nodes, now),
    certificates: parts.health.certificates.map(({ url, check }) => ({
      ...withGuide(findingOfCertificate(check, now), 'Behind a proxy'),
      url,
      issuer: check.value?.issuer ?? null,
      ends_at: iso(check.value?.endsAt),
    })),
  }
}

function thisNode({ bus }: Deps, { health, jobs }: Parts, now: number): Node {
  const common = { id: bus.node, release: RELEASE, schemaLevel: SCHEMA_LEVEL, startedAt: health.startedAt }
  return { ...common, heartbeatAt: now, silentMs: 0, figures: health.figures(jobs.runs()) }
}

/** None while the database does not answer. */
async function otherNodes({ db, bus, databaseHealth }: Deps, now: number): Promise<Node[]> {
  if (bus.isSingleNode || databaseHealth.isLost) return []
  const rows = await Promise.race([listNodes(db, bus.node).catch(() => []), sleep(MAX_WAIT_MS, [], { ref: false })])
  return rows.map((row) => ({
    id: row.id,
    release: row.version,
    schemaLevel: row.schema_level,
    startedAt: row.started_at.getTime(),
    heartbeatAt: now - row.silent_ms,
    silentMs: row.silent_ms,
    figures: NodeFigures.safeParse(row.figures).data,
  }))
}

const listNodes = (db: Db, except: string) =>
  db
    .selectFrom('nodes')
    .select(['id', 'version', 'schema_level', 'started_at', 'figures'])
    .select(sql<number>`greatest(0, extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::float8`.as('silent_ms'))
    .where('id', '<>', except)
    .orderBy('started_at')
    .execute()

function presentNode(node: Node, isThisNode: boolean): Status['nodes'][number] {
  const { id, release, schemaLevel, figures } = node
  return {
    ...withGuide(findingOfNode(node), 'Many nodes'),
    id,
    name: figures?.name ?? id,
    is_this_node: isThisNode,
    runs_jobs: figures?.runs_jobs ?? false,
    release,
    schema_level: schemaLevel,
    started_at: new Date(node.startedAt).toISOString(),
    heartbeat_at: new Date(node.heartbeatAt).toISOString(),
    clock_offset_seconds: seconds(figures?.clock_offset_ms),
    servers_online: figures?.servers_online ?? null,
    list_age_seconds: seconds(figures?.list_age_ms),
  }
}

function presentList({ health, list }: Parts): Status['list'] {
  const ageMs = health.listAgeMs
  return {
    ...withGuide(findingOfList(ageMs), 'When the database fails'),
    servers_online: list.registry.onlineCount,
    age_seconds: ageMs / 1000,
    published_at: iso(list.publishedAt),
  }
}

function presentDatabase({ env, databaseHealth }: Deps, { health }: Parts): Status['database'] {
  const { value } = health.database
  const isLost = databaseHealth.isLost
  return {
    ...withGuide(findingOfDatabase(health.database, isLost), 'When the database fails'),
    version: value?.version ?? null,
    latency_seconds: isLost ? null : seconds(value?.latencyMs),
    size_bytes: value?.bytes ?? null,
    embedded: env.DATABASE_URL === undefined,
  }
}

/** Of a job on several nodes, the one with a problem, or else the one that ran last. */
function presentJobs(nodes: readonly Node[], now: number): Status['jobs'] {
  const ranAt = ({ succeeded_at: succeeded, failed_at: failed }: JobFigures) => Math.max(succeeded ?? 0, failed ?? 0)
  const all = nodes.flatMap(({ figures }) =>
    (figures?.jobs ?? []).map((job) => ({ job, node: figures?.name ?? '', finding: findingOfJob(job, now) })),
  )
  const sorted = all.toSorted((one, other) => byUrgency(one.finding, other.finding) || ranAt(other.job) - ranAt(one.job))
  const first = new Map(sorted.toReversed().map((entry) => [entry.job.name, entry]))
  const shown = [...first.values()].toSorted(
    (one, other) => byUrgency(one.finding, other.finding) || one.job.name.localeCompare(other.job.name, 'en'),
  )
  return shown.map(({ job, node, finding }) => ({
    ...withGuide(finding, job.name === 'back-up' ? 'Back up and restore' : 'Health and metrics'),
    name: job.name,
    node: ranAt(job) === 0 ? null : node,
    every_seconds: job.every_ms / 1000,
    is_running: job.is_running,
    succeeded_at: iso(job.succeeded_at),
    duration_seconds: seconds(job.duration_ms),
    failed_at: iso(job.failed_at),
    failure: job.failure,
  }))
}

function presentBacklog(
  { databaseHealth }: Deps,
  { health, webhooks }: Parts,
  now: number,
): Pick<Status, 'deliveries' | 'file_deletions' | 'erasures'> {
  const { pending, overdue } = webhooks.backlog
  const isLost = databaseHealth.isLost
  const { files, accounts } = health.deletions.value ?? {}
  const deletions = (found: typeof files) => ({ due: found?.due ?? null, oldest_due_at: found?.oldestDueAt?.toISOString() ?? null })
  return {
    deliveries: {
      ...withGuide(findingOfDeliveries(overdue), 'Webhooks'),
      pending: isLost ? null : pending,
      overdue: isLost ? null : overdue,
    },
    file_deletions: {
      ...withGuide(findingOfDeletions(files?.oldestDueAt ?? null, now, m.status_files_overdue), 'Images'),
      ...deletions(files),
    },
    erasures: {
      ...withGuide(findingOfDeletions(accounts?.oldestDueAt ?? null, now, m.status_erasures_overdue), 'When people leave'),
      ...deletions(accounts),
    },
  }
}

function presentStorage({ env, bus }: Deps, { health }: Parts, nodes: readonly Node[]): Status['storage'] {
  const isGrowing = env.DATABASE_URL === undefined || env.IMAGES_URL === undefined
  return nodes.flatMap(({ id, figures }) => {
    if (figures === undefined) return []
    const hasChecked = id !== bus.node || health.disk.hasEnded
    return {
      ...withGuide(findingOfStorage(figures, isGrowing, hasChecked), figures.images_answer === false ? 'Images' : 'Health and metrics'),
      node: figures.name,
      free_bytes: figures.disk?.free ?? null,
      size_bytes: figures.disk?.size ?? null,
      images: figures.images,
      images_answer: figures.images_answer,
    }
  })
}

/** The backups and the signed list, which one of the nodes makes. */
function presentCopies(
  { env }: Deps,
  { health, signed, publisher }: Parts,
  nodes: readonly Node[],
  now: number,
): Pick<Status, 'backup' | 'signed_list'> {
  const upMs = now - health.startedAt
  const backups = nodes.flatMap(({ figures }) => figures?.backup ?? [])
  const newestAt = latest(backups.map(({ newest_at: at }) => at))
  const publishedAt = latest(nodes.map(({ figures }) => figures?.signed_list_published_at ?? null))
  const end = keyEndOf(env, now)
  const publishes = publisher !== undefined
  return {
    backup: {
      ...withGuide(findingOfBackup(backups.length > 0, newestAt, now, upMs), 'Back up and restore'),
      configured: backups.length > 0,
      newest_at: iso(newestAt),
      next_at: backups.length === 0 ? null : iso(Math.min(...backups.map(({ next_at: at }) => at))),
    },
    signed_list:
      signed === undefined
        ? null
        : {
            ...withGuide(findingOfSignedList({ end, publishes, publishedAt }, now, upMs), 'Health and metrics'),
            key: env.SIGNING_KEY?.publicKey.text ?? '',
            key_ends_at: end?.endsAt.toISOString() ?? null,
            publishes,
            published_at: iso(publishedAt),
          },
  }
}

const latest = (times: readonly (number | null)[]): number | undefined => {
  const known = times.filter((at) => at !== null)
  return known.length === 0 ? undefined : Math.max(...known)
}
