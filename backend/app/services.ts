/** Services that features share beyond `Deps`. */
import { DownloadsManifest } from '#backend/services/downloads/downloads.ts'
import { type ImageServices, createImageServices } from '#backend/core/images/image-services.ts'
import { PlayerSampler } from '#backend/services/history/player-sampler.ts'
import { ServerWeeks } from '#backend/services/history/server-weeks.ts'
import { Trending } from '#backend/services/history/trending.ts'
import { Live } from '#backend/services/live/live.ts'
import { notifyOfServers } from '#backend/services/notifications/notifications.ts'
import { FindingWriter } from '#backend/core/protection/finding-writer.ts'
import { PageRenderer } from '#backend/services/public-site/page-renderer.ts'
import { OgImages } from '#backend/services/public-site/og-image.ts'
import type { ServerServices } from '#backend/core/servers/server-services.ts'
import { OperatorAlerts } from '#backend/services/webhooks/operator-alerts.ts'
import { ServerWatcher } from '#backend/services/webhooks/server-watcher.ts'
import { WebhookSender } from '#backend/services/webhooks/webhook-sender.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'

export interface Services extends ServerServices {
  readonly list: RunningMasterList
  readonly live: Live
  readonly findings: FindingWriter
  readonly sampler: PlayerSampler
  readonly weeks: ServerWeeks
  readonly trending: Trending
  readonly downloads: DownloadsManifest
  readonly images: ImageServices
  readonly ogImages: OgImages
  readonly pageRenderer: PageRenderer
  readonly webhooks: WebhookSender
  readonly operatorAlerts: OperatorAlerts
  readonly serverWatcher: ServerWatcher
}

export function createServices(deps: Deps, list: RunningMasterList, lease: Pick<Lease, 'isHeld' | 'term'>): Services {
  const sampler = new PlayerSampler(
    deps,
    () => list.registry.all(),
    () => lease.isHeld,
  )
  const images = createImageServices(deps)
  const live = new Live(deps)
  const webhooks = new WebhookSender(deps, (ownerId) => live.invalidate([ownerId], ['webhooks']))
  const outbox = { ...deps, queue: webhooks.queue }
  return {
    list,
    findings: new FindingWriter(deps),
    sampler,
    weeks: new ServerWeeks(deps, list.registry),
    trending: new Trending(deps, list.registry),
    live,
    downloads: new DownloadsManifest(deps),
    images,
    ogImages: new OgImages(deps, images.storage),
    pageRenderer: new PageRenderer(deps.log),
    webhooks,
    operatorAlerts: new OperatorAlerts(outbox),
    serverWatcher: new ServerWatcher(outbox, list.registry, lease, notifyOfServers),
  }
}
