/** Services that features share beyond `Deps`. */
import { createDailyBackup } from '#backend/services/backup/daily-backup.ts'
import { LogoLoader } from '#backend/services/about/logo-loader.ts'
import { DownloadsManifest } from '#backend/services/downloads/downloads.ts'
import { createImageServices } from '#backend/core/images/image-services.ts'
import { PlayerSampler } from '#backend/services/history/player-sampler.ts'
import { ServerWeeks } from '#backend/services/history/server-weeks.ts'
import { Trending } from '#backend/services/history/trending.ts'
import { Live } from '#backend/services/live/live.ts'
import { notifyOfServers } from '#backend/services/notifications/notifications.ts'
import { DetectorRunner } from '#backend/services/detection/detector-runner.ts'
import { Probing } from '#backend/services/probing/probing.ts'
import { FindingWriter } from '#backend/core/protection/finding-writer.ts'
import { PageRenderer } from '#backend/services/public-site/page-renderer.ts'
import { OgImages } from '#backend/services/public-site/og-image.ts'
import { OperatorAlerts } from '#backend/services/webhooks/operator-alerts.ts'
import { ServerWatcher } from '#backend/services/webhooks/server-watcher.ts'
import { WebhookSender } from '#backend/services/webhooks/webhook-sender.ts'
import { createRefreshList } from '#backend/masterlist/refresh-list.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { openPublished } from '#backend/masterlist/signed/published-files.ts'
import { Publisher } from '#backend/masterlist/signed/publisher.ts'
import { SignedList } from '#backend/masterlist/signed/signed-list.ts'
import { Health } from './status/health.ts'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'

export type Services = ReturnType<typeof createServices>

export function createServices(deps: Deps, list: RunningMasterList, lease: Pick<Lease, 'isHeld' | 'term'>) {
  const { registry, attempts } = list
  const isLeaseHolder = () => lease.isHeld
  const refreshList = createRefreshList(list, deps.bus)
  const sampler = new PlayerSampler(deps, () => registry.all(), isLeaseHolder)
  const findings = new FindingWriter(deps)
  const detectorRunner = new DetectorRunner(
    deps,
    registry,
    findings,
    (server) => attempts.acceptedSinceLastCall(server),
    sampler,
    isLeaseHolder,
  )
  list.observe(detectorRunner)
  const images = createImageServices(deps)
  const logoLoader = new LogoLoader(deps.env)
  const live = new Live(deps)
  const webhooks = new WebhookSender(deps, (ownerId) => live.invalidate([ownerId], ['webhooks']))
  const outbox = { ...deps, queue: webhooks.queue }
  const signed = signedListOf(deps, list)
  const publisher = publisherOf(deps, signed, lease)
  const dailyBackup = createDailyBackup(deps)
  return {
    list,
    signed,
    publisher,
    health: new Health(deps, { list, lease, images: images.storage, dailyBackup, publisher }),
    findings,
    sampler,
    detectorRunner,
    refreshList,
    probing: new Probing({ deps, list, findings, refreshList, isLeaseHolder, live }),
    weeks: new ServerWeeks(deps, registry),
    trending: new Trending(deps, registry),
    live,
    downloads: new DownloadsManifest(deps),
    logoLoader,
    images,
    ogImages: new OgImages(deps, images.storage, logoLoader),
    pageRenderer: new PageRenderer(deps.log),
    webhooks,
    operatorAlerts: new OperatorAlerts(outbox),
    dailyBackup,
    serverWatcher: new ServerWatcher(outbox, registry, lease, notifyOfServers),
  }
}

/** Undefined unless a key is configured. */
function signedListOf({ env, clock }: Deps, { snapshots }: Pick<RunningMasterList, 'snapshots'>): SignedList | undefined {
  const { SIGNING_KEY: key, SIGNING_KEYS: keys, MIRRORS: mirrors } = env
  return key === undefined || keys === undefined ? undefined : new SignedList({ key, keys, mirrors, snapshots, clock })
}

function publisherOf({ env, clock }: Deps, signed: SignedList | undefined, lease: Pick<Lease, 'term'>): Publisher | undefined {
  if (signed === undefined || env.PUBLISH_URL === undefined) return undefined
  return new Publisher(openPublished(env, env.PUBLISH_URL), signed, clock, lease)
}
