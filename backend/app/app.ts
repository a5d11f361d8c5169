/** The program's parts put together: every slice is named here, once. */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { AccountPart } from '#contract/live.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from './services.ts'
import { Lease } from '#backend/platform/cluster/leases.ts'
import { bindAbout } from '#backend/features/about/about.routes.ts'
import { serveOpenApi } from '#backend/features/about/open-api.routes.ts'
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
import { tellManagersHere } from '#backend/features/managers/telling.ts'
import { type RunningMasterList, createMasterList } from '#backend/masterlist/masterlist.ts'
import { createMasterListServer } from '#backend/masterlist/masterlist.server.ts'
import { serveSkins } from '#backend/masterlist/skins/skin.routes.ts'
import { createTellList } from '#backend/masterlist/telling.ts'
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
import { type BindOptions, createBind } from '#backend/platform/http/bind.ts'
import { endAll } from '#backend/platform/http/closing.ts'
import type { Pages } from '#backend/platform/http/pages.ts'
import { EventStreams } from '#backend/platform/http/event-stream.ts'
import { createPanelServer } from '#backend/platform/http/panel-server.ts'
import { TokenBuckets, createLimit } from '#backend/platform/http/rate-limit.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { secondsCutOff, serveReadiness } from './readiness.ts'
import { sweepUp } from '#backend/platform/node-internals/sweep-up.ts'

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

/** A start that reads fewer servers leaves little behind. */
const LARGE_LIST = 5000
/** Each change is a row that stays: so many as nobody's hands need, and no more than the database can bear from everybody. */
const CHANGES = { burst: 300, perSecond: 1 / 5 }

/** @param pages undefined where the panel is served by somebody else (development) or not at all (tests of the API). */
export async function createApp(deps: Deps, pages: Pages | undefined): Promise<App> {
  const { env, clock, log, bus } = deps
  let isDraining = false
  let hasListened = false
  const lease = new Lease(deps, 'jobs')
  const findings = new WrittenFindings(deps)
  const list = createMasterList(deps)
  const sampling = new Sampling(
    deps,
    () => list.registry.all(),
    () => lease.isHeld,
  )
  const checks = new Checks(deps, list, findings, sampling, () => lease.isHeld)
  const streams = new EventStreams()
  const cookieSecret = env.COOKIE_SECRET ?? randomBytes(32).toString('hex')
  const panel = await createPanelServer({ env, log, clock, bus, cookieSecret, pages, streams, imageOrigins: imageOrigins(env) })
  const masterlist = await createMasterListServer(deps, list, () => secondsCutOff(deps))
  serveReadiness(deps, { panel, masterlist, list, lease, isDraining: () => isDraining })
  const doors = createDoors(deps, { list, findings, sampling })
  hearOthers(deps, doors, streams)
  serveImages(masterlist, doors.images, log)
  await bindFeatures(panel, deps, doors, streams)
  serveSkins(masterlist, deps, { registry: list.registry, pictures: doors.images.storage, age: () => secondsCutOff(deps) })
  servePoints(masterlist, deps, { registry: list.registry, sampling, age: () => secondsCutOff(deps) })
  await serveCloudAuth(masterlist, deps, list, () => addressOf(panel))

  let jobs: Jobs | undefined
  return {
    panel,
    masterlist,
    findings,
    runJob: (name) => jobs?.run(name) ?? Promise.reject(new Error('The program has not started.')),
    async listen() {
      // Before anything is read: what changes from then on is heard of.
      await bus.start()
      await lease.start()
      await list.start()
      doors.findings.start(doors)
      await checks.start()
      await doors.downloads.start()
      jobs = startJobs(deps, doors, checks.watching, lease)
      if (list.registry.size >= LARGE_LIST) sweepUp()
      await listenOn(masterlist, env.HOST, env.MASTERLIST_PORT)
      await listenOn(panel, env.HOST, env.PORT)
      hasListened = true
      return { panelPort: portOf(panel), masterlistPort: portOf(masterlist) }
    },
    async close() {
      isDraining = true
      // Where it never took calls nobody has to be told.
      if (hasListened && env.DRAIN_SECONDS > 0) await sleep(env.DRAIN_SECONDS * 1000)
      // Whatever one of them says, or however long it takes, what only memory knows is written down.
      const [failed] = await endAll(log, [panel, masterlist], [jobs?.stop(), doors.downloads.close(), checks.stop()])
      doors.images.decoding.close()
      await list.close()
      await checks.close()
      await doors.findings.close()
      // Last: what it let this node write has been written.
      await lease.close()
      await bus.close()
      if (failed !== undefined) throw failed
    },
  }
}

function createDoors(deps: Deps, parts: Pick<Doors, 'findings' | 'sampling'> & { readonly list: RunningMasterList }): Doors {
  const { bus, log } = deps
  const tellList = createTellList(parts.list, bus, log)
  return {
    ...parts,
    tellList,
    live: new Live(bus),
    reissuing: createReissuing(deps, tellList),
    downloads: new DownloadsManifest(deps),
    images: createImageParts(deps),
    changes: createLimit(deps, 'changes', CHANGES),
  }
}

/** What other nodes say that belongs to no part alone. */
function hearOthers(deps: Deps, doors: Doors, streams: EventStreams): void {
  const { bus } = deps
  bus.on('managers', ({ ownerId, changed }) => tellManagersHere(deps, doors, ownerId, changed as readonly AccountPart[]))
  bus.on('end', ({ sessionKey }) => {
    if (sessionKey !== undefined) streams.closeOf(sessionKey)
  })
}

/** Every call of the panel, slice by slice. */
async function bindFeatures(panel: FastifyInstance, deps: Deps, doors: Doors, streams: EventStreams): Promise<void> {
  const { env, clock, bus } = deps
  const { list, tellList, live } = doors
  const endStreamsOf = (sessionKey: string) => {
    streams.closeOf(sessionKey)
    bus.say('end', { sessionKey })
  }
  const buckets = (name: string) => new TokenBuckets({ burst: 300, perSecond: 20, clock, shared: { bus, name } })
  const options: BindOptions = {
    streams,
    publicOrigin: env.PUBLIC_URL,
    limits: env.RATE_LIMITS ? { anonymous: buckets('visitors'), session: buckets('sessions') } : undefined,
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
  bindAuth(bind, deps, endStreamsOf)
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
  serveOpenApi(panel)
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

function addressOf(app: FastifyInstance): AddressInfo | undefined {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address : undefined
}

const portOf = (app: FastifyInstance) => addressOf(app)?.port ?? 0
