/** The composition root: creates, starts and stops every part of the program. */
import { hkdfSync, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { databaseClock } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notificationsOf } from './notifications.ts'
import { publicEventsOf } from './publications.ts'
import { createSubscribers } from './subscribers.ts'
import { rejectNewerSchema } from '#backend/platform/database/migrate.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { Lease } from '#backend/platform/cluster/leases.ts'
import { serveConnection, serveListOpenApi } from '#backend/services/about/about.routes.ts'
import { ensureSecret } from '#backend/services/cloud-auth/cloud-auth.queries.ts'
import { serveCloudAuth } from '#backend/services/cloud-auth/cloud-auth.routes.ts'
import { servePoints } from '#backend/services/history/points.routes.ts'
import { imageOrigins } from '#backend/core/images/image-services.ts'
import { serveImages } from '#backend/core/images/serve-images.ts'
import { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { warnOfEndingKey } from '#backend/masterlist/signed/ending-key.ts'
import { serveSignedList } from '#backend/masterlist/signed/signed-list.routes.ts'
import { createMasterListServer } from '#backend/masterlist/masterlist.server.ts'
import { serveLauncherThemes } from '#backend/masterlist/launcher-themes/launcher-theme.routes.ts'
import { handleEvents } from '#backend/core/events/events.ts'
import { notify } from '#backend/services/notifications/notifications.ts'
import { publishEvents } from '#backend/services/webhooks/publish.ts'
import { serveBadges } from '#backend/services/public-site/badge.ts'
import type { FindingWriter } from '#backend/core/protection/finding-writer.ts'
import { closeListeners } from '#backend/platform/http/connections.ts'
import type { Pages } from '#backend/platform/http/pages.ts'
import { EventStreams } from '#backend/platform/http/event-stream.ts'
import { createPanelServer } from '#backend/platform/http/panel-server.ts'
import type { JobRunner } from './job-runner.ts'
import { createJobs } from './jobs.ts'
import { serveReadiness } from './readiness.ts'
import { bindRoutes } from './routes.ts'
import { type Services, createServices } from './services.ts'
import { listAgeSeconds } from './status/list-age.ts'

export interface App {
  readonly panel: FastifyInstance
  readonly masterlist: FastifyInstance
  readonly findings: FindingWriter
  readonly list: RunningMasterList
  /** Runs a job now. Call `listen` first. */
  runJob(name: string): Promise<void>
  /** Starts both listeners. The list is fully restored before the first connection. */
  listen(): Promise<{ panelPort: number; masterlistPort: number }>
  /** Stops accepting connections, finishes running work, and saves what only memory has. */
  close(): Promise<void>
}

/** @param pages undefined if Vite serves the panel (development), or nothing does (API tests). */
export async function createApp(baseDeps: Deps, pages: Pages | undefined): Promise<App> {
  const deps = { ...baseDeps, clock: databaseClock(baseDeps.clock, baseDeps.bus) }
  const { env, clock, log, bus } = deps
  let isDraining = false
  let hasListened = false
  const lease = new Lease(deps, 'jobs')
  const list = new RunningMasterList(deps)
  const services = createServices(deps, list, lease)
  const jobs = createJobs(deps, services, lease)
  const streams = new EventStreams()
  const cookieSecret = env.COOKIE_SECRET ?? (await cookieSecretOf(deps.db))
  const panel = await createPanelServer({ env, log, clock, bus, cookieSecret, pages, streams, imageOrigins: imageOrigins(env) })
  const masterlist = createMasterListServer(deps, list, () => listAgeSeconds(deps))
  serveReadiness(deps, { panel, masterlist, list, lease, services, jobs, isDraining: () => isDraining })
  const subscribers = subscribersOf(deps, services)
  handleEvents(deps.db, subscribers)
  bus.on('endStreams', ({ sessionKey }) => {
    if (sessionKey !== undefined) streams.closeSession(sessionKey)
  })
  await bindRoutes(panel, deps, services, streams, pages, jobs)
  await serveOnList(masterlist, deps, services, panel)

  return {
    panel,
    masterlist,
    findings: services.findings,
    list,
    runJob: (name) => jobs.run(name),
    async listen() {
      // Before anything loads, so that no later change is missed.
      await bus.start()
      // A migration that ran before this node registered did not wait for it.
      if (!bus.isSingleNode) await rejectNewerSchema(deps.db)
      await lease.start()
      await list.start()
      warnOfEndingKey(deps)
      services.detectorRunner.start()
      await services.probing.start()
      await services.downloads.start()
      jobs.start()
      loadInBackground(jobs, services)
      await listenOn(masterlist, env.HOST, env.MASTERLIST_PORT)
      await listenOn(panel, env.HOST, env.PORT)
      hasListened = true
      return { panelPort: portOf(panel), masterlistPort: portOf(masterlist) }
    },
    async close() {
      isDraining = true
      // An app that never listened needs no drain: no load balancer knows it.
      if (hasListened && env.DRAIN_SECONDS > 0) await sleep(env.DRAIN_SECONDS * 1000)
      // The steps below save what only memory has, so they run even if a listener fails or hangs.
      services.detectorRunner.stop()
      const workers = [jobs.stop(), services.webhooks.queue.stop(), services.downloads.close(), services.probing.close()]
      const [failed] = await closeListeners(log, [panel, masterlist], workers)
      for (const worker of [services.images.decoder, services.ogImages, services.pageRenderer]) worker.close()
      subscribers.close()
      await list.close()
      await services.detectorRunner.close()
      await services.findings.close()
      // Last, after all writes that need the lease.
      await lease.close()
      await bus.close()
      if (failed !== undefined) throw failed
    },
  }
}

/** What the first calls may show already. The jobs report failures. */
function loadInBackground(jobs: Pick<JobRunner, 'run'>, { dailyBackup }: Services): void {
  void jobs.run('load-brand-logo')
  void dailyBackup?.measure().catch(() => undefined)
}

/** Without COOKIE_SECRET, the nodes on one database still have one secret. */
async function cookieSecretOf(db: Db): Promise<string> {
  return Buffer.from(hkdfSync('sha256', await ensureSecret(db, randomBytes(32)), '', 'muster cookies', 32)).toString('hex')
}

function subscribersOf({ env, log }: Deps, { refreshList, live, webhooks: { queue }, operatorAlerts }: Services) {
  return createSubscribers(log, {
    async publish(trx, event) {
      await publishEvents(trx, { env, queue }, publicEventsOf(event))
      await operatorAlerts.publish(trx, event)
      return notify(trx, notificationsOf(event))
    },
    refreshList,
    live,
  })
}

async function serveOnList(masterlist: FastifyInstance, deps: Deps, services: Services, panel: FastifyInstance): Promise<void> {
  const { list, images } = services
  const age = () => listAgeSeconds(deps)
  serveImages(masterlist, images, deps.log)
  serveLauncherThemes(masterlist, deps, { registry: list.registry, images: images.storage, age })
  serveSignedList(masterlist, deps, services.signed)
  serveConnection(masterlist, deps)
  serveListOpenApi(masterlist, deps)
  servePoints(masterlist, deps, list, age)
  serveBadges(masterlist, deps, list.registry)
  await serveCloudAuth(masterlist, deps, list, () => addressOf(panel))
}

/** `::` listens on all IPv4 and IPv6 addresses. A machine without IPv6 cannot do that and falls back to all IPv4 addresses. */
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
