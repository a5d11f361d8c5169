/** What slices share beyond `Deps`: the parts of the running program that a committed change has to reach, and limits that several count against. */
import type { DownloadsManifest } from '#backend/features/downloads/downloads.ts'
import type { ImageParts } from '#backend/features/images/images.parts.ts'
import type { Sampling } from '#backend/features/history/sampling.ts'
import type { Live } from '#backend/features/live/live.ts'
import type { MasterList } from '#backend/masterlist/master-list.ts'
import type { TellList } from '#backend/masterlist/telling.ts'
import type { WrittenFindings } from '#backend/features/protection/findings.ts'
import type { Reissuing } from '#backend/features/servers/reissuing.ts'
import type { Limit } from '#backend/platform/http/rate-limit.ts'

export interface Doors {
  readonly list: MasterList
  readonly tellList: TellList
  /** Open panels. */
  readonly live: Live
  /** Where what the checks find goes. */
  readonly findings: WrittenFindings
  readonly reissuing: Reissuing
  /** What this node sees of the players. */
  readonly sampling: Sampling
  readonly downloads: DownloadsManifest
  /** Where pictures lie, and what decodes them. */
  readonly images: ImageParts
  /** How often a person may change servers. */
  readonly changes: Limit
}
