/** Binds every endpoint of the panel. */
import type { FastifyInstance } from 'fastify'
import type { RateName } from '#contract/api/limits.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { bindAdminUsers } from './routes/admin-users.routes.ts'
import { bindServerOverview } from './routes/server-overview.routes.ts'
import { bindStatus } from './routes/status.routes.ts'
import type { JobRunner } from './job-runner.ts'
import type { Services } from './services.ts'
import { bindAbout, rejectAnnounces, serveOpenApi } from '#backend/services/about/about.routes.ts'
import { serveBranding } from '#backend/services/about/branding.routes.ts'
import { bindAccount } from '#backend/services/account/account.routes.ts'
import { bindActivity } from '#backend/core/activity/activity.routes.ts'
import { bindApiKeys } from '#backend/core/api-keys/api-keys.routes.ts'
import { callerOfKey, sessionKeyOf } from '#backend/core/api-keys/api-keys.ts'
import { bindAuth } from '#backend/core/auth/auth.routes.ts'
import { bindSessions } from '#backend/core/auth/sessions.routes.ts'
import { readSession, writeSession } from '#backend/core/auth/cookies.ts'
import { serveLocalProvider } from '#backend/core/auth/local-provider.ts'
import { clientDetailsOf } from '#backend/core/auth/client-details.ts'
import { callerOfSession } from '#backend/core/auth/auth.ts'
import { bindBenefits } from '#backend/core/benefits/benefits.routes.ts'
import { bindGroups } from '#backend/core/groups/groups.routes.ts'
import { bindDownloads } from '#backend/services/downloads/downloads.routes.ts'
import { bindFeeds } from '#backend/services/feeds/feeds.routes.ts'
import { bindHistory } from '#backend/services/history/history.routes.ts'
import { bindImages } from '#backend/core/images/images.routes.ts'
import { bindLeaks } from '#backend/core/leaks/leaks.routes.ts'
import { bindEndpoints } from '#backend/services/probing/endpoint.routes.ts'
import { bindLive } from '#backend/services/live/live.routes.ts'
import { bindManagers } from '#backend/core/managers/managers.routes.ts'
import { bindAdminServers } from './routes/admin-servers.routes.ts'
import { bindNotifications } from '#backend/services/notifications/notifications.routes.ts'
import { bindPreferences } from '#backend/core/preferences/preferences.routes.ts'
import { bindProtection } from '#backend/core/protection/protection.routes.ts'
import { publicServer } from '#backend/services/public-site/public-server.ts'
import { bindReports } from '#backend/core/reports/reports.routes.ts'
import { PageCache } from '#backend/services/public-site/page-cache.ts'
import { PublicPages } from '#backend/services/public-site/public-pages.ts'
import { hidePublicSite, servePublicPages } from '#backend/services/public-site/public-site.routes.ts'
import { Sitemaps } from '#backend/services/public-site/sitemap.ts'
import { serveOgImages } from '#backend/services/public-site/og-image.ts'
import { serveQrCodes } from '#backend/services/public-site/qr-code.ts'
import { bindServers } from '#backend/core/servers/servers.routes.ts'
import { bindSupporters } from '#backend/core/supporters/supporters.routes.ts'
import { bindTransfers } from '#backend/core/transfers/transfers.routes.ts'
import { bindUsers } from '#backend/core/users/users.routes.ts'
import { readApiKey } from '#backend/platform/http/api-key-request.ts'
import { bindWebhooks } from '#backend/services/webhooks/webhooks.routes.ts'
import { type BindOptions, createBind } from '#backend/platform/http/bind.ts'
import type { EventStreams } from '#backend/platform/http/event-stream.ts'
import type { Pages } from '#backend/platform/http/pages.ts'
import { type RateLimit, createRateLimit } from '#backend/platform/http/rate-limit.ts'

/** @param pages undefined if this program does not serve the panel. */
export async function bindRoutes(
  panel: FastifyInstance,
  deps: Deps,
  services: Services,
  streams: EventStreams,
  pages: Pages | undefined,
  jobs: Pick<JobRunner, 'runs'>,
): Promise<void> {
  const { env, bus } = deps
  const { list, live } = services
  const endStreamsOf = (sessionKey: string) => {
    streams.closeSession(sessionKey)
    bus.publish('endStreams', { sessionKey })
  }
  const options = bindOptionsOf(deps, streams)
  const bindIn = (scope: FastifyInstance) => createBind(scope, options)
  const bind = bindIn(panel)
  bindAbout(bind, deps, list, () => services.downloads.hasProducts)
  serveBranding(panel, deps, services.logoLoader)
  bindAuth(bind, deps, endStreamsOf)
  bindSessions(bind, deps, endStreamsOf)
  bindPreferences(bind, deps)
  bindNotifications(bind, deps, live)
  bindAccount(bind, deps)
  bindApiKeys(bind, deps, endStreamsOf)
  bindUsers(bind, deps)
  bindAdminUsers(bind, deps, services)
  bindServers(bind, deps, list)
  bindServerOverview(bind, deps, services)
  bindAdminServers(bind, deps, services)
  bindManagers(bind, deps, list)
  bindTransfers(bind, deps)
  bindBenefits(bind, deps)
  bindGroups(bind, deps)
  bindFeeds(bind, deps)
  bindActivity(bind, deps)
  bindProtection(bind, deps)
  bindReports(bind, deps, (id) => publicServer(list.registry, id, deps.clock.now())?.publicId)
  bindWebhooks(bind, deps, list.registry, services.webhooks)
  await bindSupporters(panel, bindIn, deps)
  await bindLeaks(panel, bindIn, deps, (apiKeyId) => endStreamsOf(sessionKeyOf(apiKeyId)))
  await bindImages(panel, bindIn, deps, services.images)
  bindDownloads(bind, services.downloads)
  bindLive(bind, deps, list, live)
  bindEndpoints(bind, deps, list, services.probing)
  bindHistory(bind, deps, services.list)
  bindStatus(bind, deps, services, jobs)
  if (env.PUBLIC_SITE) servePublicSite(panel, deps, services, pages)
  else hidePublicSite(panel)
  serveOpenApi(panel, deps)
  rejectAnnounces(panel, deps)
  if (env.usesLocalIdentity) await serveLocalProvider(panel, deps)
}

/** Limits and caller identification, shared by all endpoints. */
function bindOptionsOf(deps: Deps, streams: EventStreams): BindOptions {
  const { env, clock } = deps
  const rateLimits = new Map<RateName, RateLimit>()
  return {
    streams,
    publicOrigin: env.PUBLIC_URL,
    clock,
    rateLimit(name) {
      const limit = rateLimits.get(name) ?? createRateLimit(deps, name)
      rateLimits.set(name, limit)
      return limit
    },
    identify: async (request, reply) => {
      const key = readApiKey(request)
      if (key !== undefined) return callerOfKey(deps.db, key, reply !== undefined)
      const id = readSession(env, request)
      if (id === undefined) return undefined
      // An invalid cookie stays: clearing it could delete the new one that another tab just received.
      const found = await callerOfSession(deps, id, reply && (() => clientDetailsOf(request)))
      if (reply !== undefined && found?.isExtended === true) writeSession(env, reply, id)
      return found?.caller
    },
  }
}

function servePublicSite(panel: FastifyInstance, deps: Deps, services: Services, pages: Pages | undefined): void {
  const { list, ogImages, pageRenderer } = services
  serveQrCodes(panel, deps, list.registry)
  serveOgImages(panel, deps, list.registry, ogImages)
  if (pages === undefined) return
  const cache = new PageCache(deps.clock)
  servePublicPages(panel, deps, new PublicPages(deps, list, services, pageRenderer, cache), new Sitemaps(deps.clock, list, cache))
}
