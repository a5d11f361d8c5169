import * as contract from '#contract/public-site/downloads.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import type { DownloadsManifest } from './downloads.ts'

export function bindDownloads(bind: Bind, downloads: DownloadsManifest): void {
  bind(contract.downloads, ({ caller }) => downloads.viewFor(caller))
}
