/** The last week of every server in memory, so that public pages need no database: about 400 bytes a server, 4 MB for 10,000. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { DenseIndex } from '#backend/platform/dense-index.ts'
import type { HistoryDeps } from './history.ts'
import type { PlayerSampler } from './player-sampler.ts'
import {
  type ListMinutes,
  NOTHING_STORED,
  type Plan,
  type StepRange,
  addServer,
  planOf,
  readListMinutes,
  readServerRows,
  sumsOf,
} from './server-steps.ts'
import { StepRows } from './step-rows.ts'
import { type Step, Sum } from './steps.ts'
import { HOUR_MS, WEEK_MS, startOf } from './time.ts'

const STEP_MS = 3 * HOUR_MS
const STEPS = WEEK_MS / STEP_MS
/** Stored days and hours read at once: a few milliseconds of the event loop. */
const MAX_BATCH_ROWS = 250

/** A server's last seven days in steps of three hours, oldest first; the last one is incomplete. */
export interface ServerWeek {
  /** Start of the first step in wall milliseconds. */
  readonly from: number
  readonly stepMs: number
  /** Highest number of players in each step: null without data, 0 while it was offline. */
  readonly highest: readonly (number | null)[]
  /** Average of the minutes it was online; null if there are none. */
  readonly average: readonly (number | null)[]
  /** The highest number of players and the start of its step. */
  readonly peak: { readonly players: number; readonly at: number } | undefined
  /** Share of the sampled minutes since its registration in which it was online, 0 to 1; undefined without samples. */
  readonly uptime: number | undefined
}

type KnownServer = Pick<ServerRecord, 'publicId' | 'announced'> & { readonly fields: { readonly createdAt: number } }

interface Servers {
  get(publicId: string): KnownServer | undefined
  all(): Iterable<KnownServer>
}

type Sampler = Pick<PlayerSampler, 'hours' | 'samplesOf' | 'listSamplesOf' | 'isStopping'>

export class ServerWeeks {
  readonly #deps: HistoryDeps
  readonly #sampler: Sampler
  readonly #servers: Servers
  readonly #index = new DenseIndex()
  /** Finished hours. Later ones are in the sampler. */
  readonly #rows = new StepRows(STEPS)
  /** Start of the hour of the last complete load in wall milliseconds. */
  #loadedTo = 0

  constructor(deps: HistoryDeps, sampler: Sampler, servers: Servers) {
    this.#deps = deps
    this.#sampler = sampler
    this.#servers = servers
  }

  /** Undefined for a server without history. The current step includes this node's newest samples. */
  of(publicId: string): ServerWeek | undefined {
    const server = this.#servers.get(publicId)
    if (server?.announced === undefined) return undefined
    const range = weekUpTo(this.#deps.clock.now())
    const sums = sumsOf(range, () => new Sum())
    const index = this.#index.get(publicId)
    const end = index === undefined ? 0 : this.#rows.endOf(index)
    for (const [step, sum] of sums.all.entries()) {
      const at = range.from + step * STEP_MS
      if (index !== undefined && at < end) sum.add(this.#rows.stepOf(index, at / STEP_MS))
    }
    const source = { publicId, since: server.fields.createdAt, recent: this.#sampler, stored: NOTHING_STORED }
    addServer(sums, { minutesFrom: Math.max(end, range.from), now: range.now }, source)
    return weekOf(
      range,
      sums.all.map((sum) => sum.step),
    )
  }

  /** Reads the hours that have ended since the last load, and the whole week of new servers. Does nothing before the next hour. */
  async load(): Promise<void> {
    const hour = startOf(this.#deps.clock.now(), HOUR_MS)
    if (hour === this.#loadedTo) return
    for (const [publicId] of this.#index.entries()) if (this.#servers.get(publicId) === undefined) this.#forget(publicId)
    const whole = weekUpTo(hour - 1)
    // The hour before may have been incomplete in the database. After a jump back, the oldest steps are overwritten.
    const from = hour < this.#loadedTo ? whole.from : Math.max(whole.from, startOf(this.#loadedTo - HOUR_MS, STEP_MS))
    const publicIds = Array.from(this.#servers.all(), ({ publicId }) => publicId)
    const { known = [], unknown = [] } = Object.groupBy(publicIds, (publicId) =>
      this.#index.get(publicId) === undefined ? 'unknown' : 'known',
    )
    await this.#read(known, { ...whole, from, count: (whole.from - from) / STEP_MS + STEPS })
    await this.#read(unknown, whole)
    if (!this.#sampler.isStopping) this.#loadedTo = hour
  }

  async #read(publicIds: readonly string[], range: StepRange): Promise<void> {
    const { db } = this.#deps
    if (publicIds.length === 0) return
    const plan = await planOf(db, range)
    const list = await readListMinutes(db, plan)
    const rowsPerServer = list.rollups.length + Math.ceil((plan.now - plan.minutesFrom) / HOUR_MS)
    const batchSize = Math.ceil(MAX_BATCH_ROWS / Math.max(1, rowsPerServer))
    for (let start = 0; start < publicIds.length; start += batchSize) {
      if (this.#sampler.isStopping) return
      await this.#readBatch(publicIds.slice(start, start + batchSize), plan, list)
    }
  }

  async #readBatch(publicIds: readonly string[], plan: Plan, list: ListMinutes): Promise<void> {
    const rowsOf = await readServerRows(this.#deps.db, publicIds, plan)
    await yieldToEventLoop()
    for (const publicId of publicIds) {
      const server = this.#servers.get(publicId)
      if (server === undefined) continue
      const sums = sumsOf(plan, () => new Sum())
      const stored = { list, own: rowsOf(publicId) }
      addServer(sums, plan, { publicId, since: server.fields.createdAt, recent: this.#sampler, stored })
      const steps = sums.all.map((sum) => sum.step)
      this.#rows.put(this.#index.assign(server.publicId), plan.from / STEP_MS, steps, plan.now + 1)
    }
  }

  #forget(publicId: string): void {
    const index = this.#index.get(publicId)
    if (index === undefined) return
    this.#rows.delete(index)
    this.#index.release(publicId)
  }
}

function weekUpTo(now: number): StepRange {
  return { from: startOf(now, STEP_MS) - (STEPS - 1) * STEP_MS, stepMs: STEP_MS, count: STEPS, now }
}

function weekOf({ from, stepMs }: StepRange, steps: readonly Step[]): ServerWeek | undefined {
  const total = (minutesOf: (step: Step) => number) => steps.reduce((sum, step) => sum + minutesOf(step), 0)
  const sampled = total((step) => step.sampled)
  if (sampled === 0) return undefined
  const players = Math.max(...steps.map((step) => (step.online === 0 ? -1 : step.highest)))
  const peakStep = steps.findIndex((step) => step.online > 0 && step.highest === players)
  return {
    from,
    stepMs,
    highest: steps.map((step) => (step.sampled === 0 ? null : step.highest)),
    average: steps.map((step) => (step.online === 0 ? null : step.average)),
    peak: peakStep === -1 ? undefined : { players, at: from + peakStep * stepMs },
    uptime: total((step) => step.online) / sampled,
  }
}
