/** Services that features share beyond `Deps`. */
import { DownloadsManifest } from '#backend/features/downloads/downloads.ts'
import { type ImageServices, createImageServices } from '#backend/features/images/image-services.ts'
import { PlayerSampler } from '#backend/features/history/player-sampler.ts'
import { ServerWeeks } from '#backend/features/history/server-weeks.ts'
import { Trending } from '#backend/features/history/trending.ts'
import { Live } from '#backend/features/live/live.ts'
import { ServerNotifications } from '#backend/features/notifications/server-notifications.ts'
import { FindingWriter } from '#backend/features/protection/finding-writer.ts'
import { OgImages } from '#backend/features/public-site/og-image.ts'
import type { ServerServices } from '#backend/features/servers/server-services.ts'
import { OperatorAlerts } from '#backend/features/webhooks/operator-alerts.ts'
import { ServerAlerts } from '#backend/features/webhooks/server-alerts.ts'
import { WebhookSender } from '#backend/features/webhooks/webhook-sender.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'

/** Every change adds a permanent row to the audit log, so the limits allow any manual use but protect the database. */
const CHANGES = { burst: 300, perSecond: 1 / 5 }
const REISSUES = { burst: 30, perSecond: 1 / 10 }

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
  readonly webhooks: WebhookSender
  readonly operatorAlerts: OperatorAlerts
  readonly serverAlerts: ServerAlerts
  readonly serverNotifications: ServerNotifications
}

export function createServices(deps: Deps, list: RunningMasterList, lease: Pick<Lease, 'isHeld' | 'term'>): Services {
  const sampler = new PlayerSampler(
    deps,
    () => list.registry.all(),
    () => lease.isHeld,
  )
  const images = createImageServices(deps)
  return {
    list,
    findings: new FindingWriter(deps),
    sampler,
    weeks: new ServerWeeks(deps, sampler, list.registry),
    trending: new Trending(deps, list.registry),
    live: new Live(deps),
    downloads: new DownloadsManifest(deps),
    images,
    ogImages: new OgImages(deps, images.storage),
    webhooks: new WebhookSender(deps),
    operatorAlerts: new OperatorAlerts(deps),
    serverAlerts: new ServerAlerts(deps, list.registry, lease),
    serverNotifications: new ServerNotifications(deps, list.registry, lease),
    limits: { changes: createRateLimit(deps, 'changes', CHANGES), reissues: createRateLimit(deps, 'reissues', REISSUES) },
  }
}
