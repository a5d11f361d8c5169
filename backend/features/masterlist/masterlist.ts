/** The master list put together: registry, credentials, binding, saving and publishing, and the beat that drives them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnnounceAttempt } from '#contract/servers.ts'
import type { Deps } from '#backend/deps.ts'
import { Announcing } from './announcing.ts'
import { ATTEMPTS_KEPT, type Attempt, Attempts } from './attempts.ts'
import { Binder } from './binding.ts'
import { ChangeFeed } from './change-feed.ts'
import { CredentialIndex } from './credential-index.ts'
import { stateOf } from './listing.ts'
import { findInDatabase, loadAll, loadOne } from './loading.ts'
import type { MasterList } from './master-list.ts'
import { listAttempts } from './masterlist.queries.ts'
import { Publisher } from './publisher.ts'
import { isRefusal, wordingOf } from './reasons.ts'
import { Refreshing } from './refreshing.ts'
import { Registry } from './registry.ts'
import { Writer } from './writer.ts'

/** How often the list looks whether anything changed. */
const BEAT_MS = 250
/** Up to so many servers the list is at most a second behind; beyond, publishing takes at most a tenth of a core (contract section 11). */
const PROMPT_SERVERS = 10_000
const LONGEST_PROMPT_MS = 500
/** Publishing compresses twice at once, so a wall-clock millisecond of it may be two of a core. */
const REST_FOR_EACH_MS = 20
/** A database slower than this does not hold the list up. */
const FLUSH_PATIENCE_MS = 500
const REFRESH_AGAIN_MS = 1000

export interface MasterListStats {
  readonly registered: number
  readonly online: number
  /** Announces since the start: ACCEPTED, and each refusal by its code. */
  readonly announces: ReadonlyMap<string, number>
  /** How long the last publish took, without the flush before it. */
  readonly publishMilliseconds: number
  /** Changes that wait for the database. */
  readonly pendingWrites: number
}

/** The whole list: what the backend may ask of it, what its own listener needs, and its life. */
export interface RunningMasterList extends MasterList {
  readonly registry: Registry
  readonly publisher: Publisher
  readonly announcing: Announcing
  stats(): MasterListStats
  /** Reads the database and publishes the list as it was. */
  start(): Promise<void>
  /** Saves everything that only memory knew. Announces after this are refused with 503. */
  close(): Promise<void>
}

export function createMasterList(deps: Deps): RunningMasterList {
  const { env, db, clock, log } = deps
  const moment = () => ({ uptime: clock.uptime(), now: clock.now() })
  const registry = new Registry(env.ANNOUNCE_TTL_SECONDS * 1000, moment())
  const credentials = new CredentialIndex(clock, (hash) => findInDatabase(db, hash, clock.now()))
  const attempts = new Attempts(clock.now())
  const feed = new ChangeFeed(clock)
  registry.onStir = (server) => feed.stir(server)
  const refreshing = new Refreshing(async (publicId) => {
    if (await loadOne(db, registry, credentials, publicId, clock)) return
    const server = registry.get(publicId)
    if (server !== undefined) attempts.forget(server)
    registry.remove(publicId)
  })
  const announcing = new Announcing({ env, clock, registry, credentials, binder: new Binder(db, clock), attempts, refresh: (publicId) => refreshing.refresh(publicId) })
  const writer = new Writer(deps, registry, attempts)
  const publisher = new Publisher(registry, Math.floor(clock.now()).toString(36))
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()
  let isClosed = false
  let publishMilliseconds = 0
  let nextPublishAt = 0

  async function beat(): Promise<void> {
    const at = moment()
    for (const server of registry.expire(at)) registry.unsaved.add(server)
    const draft = publisher.isStale && at.uptime >= nextPublishAt ? publisher.draft() : undefined
    // What players see has been saved before, so that it is there again after a crash; a sick database does not stop the list.
    await Promise.race([writer.flush(), sleep(FLUSH_PATIENCE_MS, undefined, { ref: false })])
    if (draft === undefined) return
    const began = clock.uptime()
    await publisher.publish(draft)
    publishMilliseconds = clock.uptime() - began
    const rest = publishMilliseconds * REST_FOR_EACH_MS
    nextPublishAt = at.uptime + (draft.rows.length <= PROMPT_SERVERS ? Math.min(rest, LONGEST_PROMPT_MS) : rest)
  }

  function keepBeating(): void {
    const began = clock.uptime()
    beating = beat()
      .catch((error: unknown) => log.error({ err: error }, 'The master list could not be published; it tries again.'))
      .finally(() => { if (!isClosed) timer = setTimeout(keepBeating, Math.max(0, BEAT_MS - (clock.uptime() - began))) })
  }

  return {
    registry,
    publisher,
    announcing,
    async start() {
      await loadAll(db, registry, credentials, moment())
      await publisher.publish(publisher.draft())
      keepBeating()
    },
    async close() {
      announcing.stop()
      isClosed = true
      clearTimeout(timer)
      await beating
      await writer.finish()
      feed.close()
    },
    async refresh(publicId) {
      try {
        await refreshing.refresh(publicId)
      } catch (error) {
        // The change is committed, so it must come true here as well: a revoked credential may not live on because the database stuttered.
        if (!isClosed) setTimeout(() => void this.refresh(publicId).catch(() => undefined), REFRESH_AGAIN_MS).unref()
        throw error
      }
    },
    stateOf(publicId) {
      const server = registry.get(publicId)
      return server === undefined ? undefined : stateOf(server, env.ANNOUNCE_TTL_SECONDS, clock.now())
    },
    async attemptsOf(publicId) {
      const server = registry.get(publicId)
      const inMemory = server === undefined ? [] : attempts.repeated(server, server.address)
      const waiting = attempts.pendingOf(publicId)
      const saved = await listAttempts(db, publicId, ATTEMPTS_KEPT)
      return [...inMemory, ...waiting, ...saved.map((row) => ({ ...row, at: row.at.getTime() }))]
        .toSorted((a, b) => b.at - a.at)
        .slice(0, ATTEMPTS_KEPT)
        .map(presentAttempt)
    },
    onChange: (listener) => feed.listen(listener),
    counts: () => ({ servers: publisher.snapshot?.servers ?? 0, players: publisher.snapshot?.players ?? 0 }),
    stats: () => ({
      registered: registry.size, online: registry.online, announces: announcing.counts, publishMilliseconds, pendingWrites: writer.pending,
    }),
  }
}

function presentAttempt({ at, code, address }: Attempt): AnnounceAttempt {
  return { at: new Date(at).toISOString(), outcome: isRefusal(code) ? 'refused' : 'accepted', code, ...wordingOf(code), address }
}
