/** Runs one detector over stored data without writing. Stored data is incomplete: see `limitations`. */
import type { IssueKind } from '#contract/protection/protection.ts'
import { isSameMachine } from '#backend/platform/http/client-address.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { minutesOf, storedBuckets } from '#backend/services/history/stored-buckets.ts'
import type { DetectedRejectionCode, Detector, RejectedAnnounce, RunningDetector } from '#backend/core/protection/detector.ts'
import { DETECTORS } from '#backend/core/protection/detectors.ts'
import type { Finding } from '#backend/core/protection/finding.ts'
import { type StoredAttempt, findServers, listRejectedAttempts, listSlots, serverPages } from './dry-run.queries.ts'

const DAY_MS = 86_400_000
const NAMES_PAGE = 5000
/** Each server has at most 50 attempts. */
const SERVERS_PAGE = 500

export const DRY_RUN_KINDS: readonly IssueKind[] = Object.values(DETECTORS).flatMap(({ kind, dryRun }) =>
  dryRun === undefined ? [] : [kind],
)

interface AffectedServer {
  readonly server: { readonly publicId: string; readonly ownerId: string; readonly name: string }
  readonly findings: number
  readonly first: Finding
}

export interface DryRunResult {
  readonly kind: IssueKind
  readonly days: number
  readonly rowsRead: number
  readonly limitations: string
  /** One entry per server, most findings first. */
  readonly affectedServers: readonly AffectedServer[]
}

type Db = Deps['db']

interface DryRun {
  readonly db: Db
  readonly detector: RunningDetector
  readonly rejectionCode: DetectedRejectionCode | undefined
  /** Wall milliseconds, like `now`. */
  readonly from: number
  readonly now: number
  readonly collect: (finding: Finding | undefined) => void
}

/** Each returns the number of rows it read. */
const DRY_RUNS: Readonly<Record<NonNullable<Detector['dryRun']>['source'], (run: DryRun) => Promise<number>>> = {
  attempts: runOverAttempts,
  samples: runOverSamples,
  names: runOverNames,
}

export async function dryRunDetector(db: Db, kind: IssueKind, days: number, now: number): Promise<DryRunResult> {
  const { create, dryRun, rejectionCode } = DETECTORS[kind]
  if (create === undefined || dryRun === undefined) throw new Error(`${kind} has no dry run.`)
  const byServer = new Map<string, { findings: number; first: Finding }>()
  const collect = (finding: Finding | undefined) => {
    if (finding === undefined) return
    const entry = byServer.get(finding.publicId)
    if (entry === undefined) byServer.set(finding.publicId, { findings: 1, first: finding })
    else entry.findings += 1
  }
  const detector = create({ ttlMs: 0, isDryRun: true })
  const rowsRead = await DRY_RUNS[dryRun.source]({ db, detector, rejectionCode, from: now - days * DAY_MS, now, collect })
  const rows = byServer.size === 0 ? [] : await findServers(db, [...byServer.keys()])
  const servers = new Map(rows.map(({ publicId, ownerId, name }) => [publicId, { publicId, ownerId, name }]))
  const affectedServers = [...byServer].flatMap(([publicId, entry]) => {
    const server = servers.get(publicId)
    return server === undefined ? [] : [{ server, ...entry }]
  })
  return {
    kind,
    days,
    rowsRead,
    limitations: dryRun.limitations,
    affectedServers: affectedServers.toSorted((a, b) => b.findings - a.findings),
  }
}

async function runOverAttempts({ db, detector, rejectionCode, from, collect }: DryRun): Promise<number> {
  if (rejectionCode === undefined) return 0
  let rowsRead = 0
  for await (const page of serverPages(db, SERVERS_PAGE)) {
    const publicIds = page.map(({ publicId }) => publicId)
    const attempts = await listRejectedAttempts(db, rejectionCode, new Date(from), publicIds)
    for (const attempt of attempts) collect(detector.rejected?.(announceOf(attempt)))
    rowsRead += attempts.length
  }
  return rowsRead
}

function announceOf({ server_id: publicId, at, address, bound, last_announce_at: lastAnnounceAt }: StoredAttempt): RejectedAnnounce {
  return {
    publicId,
    at: at.getTime(),
    address,
    boundAddress: bound.some((each) => isSameMachine(each, address)) ? undefined : bound[0],
    // Only the newest announce is stored. A server that announced after the attempt was also online then.
    lastAcceptedAt: lastAnnounceAt !== null && lastAnnounceAt >= at ? lastAnnounceAt.getTime() : undefined,
  }
}

async function runOverSamples({ db, detector, from, collect }: DryRun): Promise<number> {
  let rowsRead = 0
  for await (const page of storedBuckets(db, new Date(from))) {
    const slotsOf = await listSlots(
      db,
      page.map(({ publicId }) => publicId),
    )
    for (const { publicId, buckets } of page) {
      const slots = slotsOf.get(publicId) ?? 0
      for (const minute of buckets.flatMap(minutesOf)) collect(detector.players?.({ publicId, ...minute, slots }))
      detector.forget(publicId)
      rowsRead += buckets.length
    }
  }
  return rowsRead
}

async function runOverNames({ db, detector, now, collect }: DryRun): Promise<number> {
  const change = { previous: undefined, isReissued: false, isAddressReset: false, isFollowing: false, isLocal: true, at: now }
  for await (const page of serverPages(db, NAMES_PAGE)) for (const server of page) detector.loadServer?.(server)
  let rowsRead = 0
  for await (const page of serverPages(db, NAMES_PAGE)) {
    for (const server of page) collect(detector.changed?.({ ...change, server })?.finding)
    rowsRead += page.length
  }
  return rowsRead
}
