/** The program's parts put together: every slice is named here, once. */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from './deps.ts'
import type { Doors } from './doors.ts'
import { bindAbout } from '#backend/features/about/about.routes.ts'
import { bindAccount } from '#backend/features/account/account.routes.ts'
import { bindActivity } from '#backend/features/activity/activity.routes.ts'
import { bindAudit } from '#backend/features/activity/audit.routes.ts'
import { bindAuth } from '#backend/features/auth/auth.routes.ts'
import { readSession, writeSession } from '#backend/features/auth/cookies.ts'
import { serveLocalProvider } from '#backend/features/auth/local-provider.ts'
import { serveLocalProviderPage } from '#backend/features/auth/local-provider.page.ts'
import { callerOfSession } from '#backend/features/auth/sessions.ts'
import { bindBenefits } from '#backend/features/benefits/benefits.routes.ts'
import { serveCloudAuth } from '#backend/features/cloud-auth/cloud-auth.routes.ts'
import { bindGroups } from '#backend/features/groups/groups.routes.ts'
import { DownloadsManifest } from '#backend/features/downloads/downloads.ts'
import { bindDownloads } from '#backend/features/downloads/downloads.routes.ts'
import { bindFeeds } from '#backend/features/feeds/feeds.routes.ts'
import { bindHistory } from '#backend/features/history/history.routes.ts'
import { servePoints } from '#backend/features/history/points.routes.ts'
import { Sampling } from '#backend/features/history/sampling.ts'
import { bindImages } from '#backend/features/images/images.routes.ts'
import { createImageParts, imageOrigins } from '#backend/features/images/images.parts.ts'
import { serveImages } from '#backend/features/images/serving.ts'
import { Live } from '#backend/features/live/live.ts'
import { bindLive } from '#backend/features/live/live.routes.ts'
import { bindManagers } from '#backend/features/managers/managers.routes.ts'
import { type RunningMasterList, createMasterList } from '#backend/features/masterlist/masterlist.ts'
import { createMasterListServer } from '#backend/features/masterlist/masterlist.server.ts'
import { serveSkins } from '#backend/features/masterlist/skin.routes.ts'
import { createTellList } from '#backend/features/masterlist/telling.ts'
import { bindAdminServerList } from '#backend/features/servers/admin-list.routes.ts'
import { Checks } from '#backend/features/protection/checks.ts'
import { WrittenFindings } from '#backend/features/protection/findings.ts'
import { bindProtection } from '#backend/features/protection/protection.routes.ts'
import { createReissuing } from '#backend/features/servers/reissuing.ts'
import { bindServers } from '#backend/features/servers/servers.routes.ts'
import { bindServersAdmin } from '#backend/features/servers/servers-admin.routes.ts'
import { bindSupporters } from '#backend/features/supporters/supporters.routes.ts'
import { bindTransfers } from '#backend/features/transfers/transfers.routes.ts'
import { bindAdminUserList } from '#backend/features/users/admin-list.routes.ts'
import { bindUsers } from '#backend/features/users/users.routes.ts'
import { type BindOptions, createBind } from '#backend/http/bind.ts'
import { type Health, serveHealth } from '#backend/http/health.ts'
import { openApiDocument } from '#backend/http/open-api.ts'
import type { Pages } from '#backend/http/pages.ts'
import { EventStreams } from '#backend/http/event-stream.ts'
import { createPanelServer } from '#backend/http/panel-server.ts'
import { TokenBuckets, createLimit } from '#backend/http/rate-limit.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { createMetrics, measureCalls, measureList } from './metrics.ts'

export interface App {
  readonly panel: FastifyInstance
  readonly masterlist: FastifyInstance
  /** Where what the checks find goes. */
  readonly findings: WrittenFindings
  /** Runs one of the repeating tasks now. It has to listen. */
  runJob(name: string): Promise<void>
  /** Takes connections on both listeners; the list is as it was before the first of them is answered. */
  listen(): Promise<{ panelPort: number; masterlistPort: number }>
  /** Stops taking connections, ends what is under way, and writes down what only memory knew. */
  close(): Promise<void>
}

/** Readiness asks the database; longer than this is as good as no answer. */
const READY_WITHIN_MS = 500
const ASK_AGAIN_MS = 250

/** Each change is a row that stays: so many as nobody's hands need, and no more than the database can bear from everybody. */
const CHANGES = { burst: 300, perSecond: 1 / 5 }

/** @param pages undefined where the panel is served by somebody else (development) or not at all (tests of the API). */
export async function createApp(deps: Deps, pages: Pages | undefined): Promise<App> {
  const { env, clock, log } = deps
  let isDraining = false
  const findings = new WrittenFindings(deps)
  const list = createMasterList(deps)
  const sampling = new Sampling(deps, () => list.registry.all())
  const checks = new Checks(deps, list, findings, sampling)
  const streams = new EventStreams()
  const cookieSecret = env.COOKIE_SECRET ?? randomBytes(32).toString('hex')
  const panel = await createPanelServer({ env, log, clock, cookieSecret, pages, streams, imageOrigins: imageOrigins(env) })
  const masterlist = await createMasterListServer(deps, list)
  serveOperating(deps, { panel, masterlist }, list, () => isDraining)

  const tellList = createTellList(list, log)
  const doors: Doors = {
    list,
    tellList,
    live: new Live(),
    findings,
    reissuing: createReissuing(deps, tellList),
    downloads: new DownloadsManifest(deps),
    images: createImageParts(deps),
    sampling,
    changes: createLimit(deps, CHANGES),
  }
  serveImages(masterlist, doors.images, log)
  await bindFeatures(panel, deps, doors, streams)
  serveSkins(masterlist, deps, list, doors.images.storage)
  servePoints(masterlist, deps, list, sampling)
  await serveCloudAuth(masterlist, deps, list, () => addressOf(panel))

  let jobs: Jobs | undefined
  return {
    panel,
    masterlist,
    findings,
    runJob: (name) => jobs?.run(name) ?? Promise.reject(new Error('The program has not started.')),
    async listen() {
      // Before anything is read: what changes from then on is heard of.
      await deps.bus.start()
      await list.start()
      doors.findings.start(doors)
      await checks.start()
      await doors.downloads.start()
      jobs = startJobs(deps, doors, checks.watching)
      await listenOn(masterlist, env.HOST, env.MASTERLIST_PORT)
      await listenOn(panel, env.HOST, env.PORT)
      return { panelPort: portOf(panel), masterlistPort: portOf(masterlist) }
    },
    async close() {
      isDraining = true
      // Whatever one of them says, what only memory knows is written down.
      const closed = await Promise.allSettled([panel.close(), masterlist.close(), jobs?.stop(), doors.downloads.close(), checks.stop()])
      doors.images.decoding.close()
      await list.close()
      await checks.close()
      await doors.findings.close()
      await deps.bus.close()
      for (const one of closed) if (one.status === 'rejected') throw one.reason
    },
  }
}

/** Health and metrics, on both listeners. */
function serveOperating(
  deps: Deps,
  { panel, masterlist }: Pick<App, 'panel' | 'masterlist'>,
  list: RunningMasterList,
  isDraining: () => boolean,
): void {
  const { env } = deps
  const metrics = createMetrics()
  const databaseTrouble = askingTheDatabase(deps)
  measureCalls(panel, metrics)
  measureList(() => list.stats(), metrics)
  const health: Health = {
    notReady: async () => (isDraining() ? 'draining' : await databaseTrouble()),
    metrics,
    metricsToken: env.METRICS_TOKEN,
    isProduction: env.isProduction,
  }
  for (const app of [panel, masterlist]) serveHealth(app, health)
}

/** Every call of the panel, slice by slice. */
async function bindFeatures(panel: FastifyInstance, deps: Deps, doors: Doors, streams: EventStreams): Promise<void> {
  const { env, clock } = deps
  const { list, tellList, live } = doors
  const buckets = (burst: number, perSecond: number) => new TokenBuckets({ burst, perSecond, clock })
  const options: BindOptions = {
    streams,
    publicOrigin: env.PUBLIC_URL,
    limits: env.RATE_LIMITS ? { anonymous: buckets(300, 20), session: buckets(300, 20) } : undefined,
    identify: async (request, reply) => {
      const id = readSession(env, request)
      if (id === undefined) return undefined
      // A dead cookie is left alone: clearing it could hit the new one that another tab was just given.
      const found = await callerOfSession(deps, id, reply !== undefined)
      if (reply !== undefined && found?.isExtended === true) writeSession(env, reply, id)
      return found?.caller
    },
  }
  const bind = createBind(panel, options)
  bindAbout(bind, deps, list)
  bindAuth(bind, deps, streams)
  bindAccount(bind, deps, live)
  bindUsers(bind, deps, doors)
  bindServers(bind, deps, doors)
  bindServersAdmin(bind, deps, doors)
  bindManagers(bind, deps, doors)
  bindTransfers(bind, deps, tellList, live)
  bindBenefits(bind, deps, doors)
  bindGroups(bind, deps, doors)
  bindFeeds(bind, deps)
  bindActivity(bind, deps)
  bindProtection(bind, deps, doors)
  bindAudit(bind, deps)
  bindAdminServerList(bind, deps, doors)
  bindAdminUserList(bind, deps)
  await bindSupporters(panel, (room) => createBind(room, options), deps, doors)
  await bindImages(panel, (room) => createBind(room, options), deps, doors.images)
  bindDownloads(bind, doors.downloads)
  bindLive(bind, deps, list, live)
  bindHistory(bind, deps, doors.sampling)
  const document = JSON.stringify(openApiDocument())
  panel.get('/api/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  if (!env.usesLocalIdentity) return
  await serveLocalProvider(panel, deps)
  serveLocalProviderPage(panel)
}

/** A machine without IPv6 can't listen on `::`, which stands for every address of both kinds; there every IPv4 address is meant. */
async function listenOn(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    if (host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error
    await app.listen({ host: '0.0.0.0', port })
  }
}

/** However many ask whether we are ready, the database is asked by one of them, and not again for a moment. */
function askingTheDatabase({ db, clock }: Pick<Deps, 'db' | 'clock'>): () => Promise<string | undefined> {
  let answer: Promise<string | undefined> = Promise.resolve(undefined)
  let askedAt = -Infinity
  return () => {
    if (clock.uptime() - askedAt < ASK_AGAIN_MS) return answer
    askedAt = clock.uptime()
    const asked = sql`select 1`.execute(db).then(
      () => undefined,
      () => 'the database can not be reached',
    )
    const late = new Promise<string>((resolve) => {
      setTimeout(resolve, READY_WITHIN_MS, 'the database does not answer').unref()
    })
    answer = Promise.race([asked, late])
    return answer
  }
}

function addressOf(app: FastifyInstance): AddressInfo | undefined {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address : undefined
}

const portOf = (app: FastifyInstance) => addressOf(app)?.port ?? 0
