/** Builds by platform and branch, the names of both, and the visitor's platform. */
import type { Product } from '#contract/public-site/downloads.ts'
import { m } from '#messages'
import { compareTexts } from '#web/lib/lists.ts'

export interface DownloadsSearch {
  readonly branch?: string | undefined
  readonly platform?: string | undefined
}

export type SelectedBuilds = NonNullable<ReturnType<typeof selectBuilds>>

export function branchesOf(products: readonly Product[]): string[] {
  return sortBranches(products.flatMap(({ builds }) => builds.map(({ branch }) => branch)))
}

/** All selectable platforms, the visitor's own first. */
export function platformsOf(products: readonly Product[], visitor: System | undefined): string[] {
  const all = new Set(products.flatMap(({ builds }) => builds.map(({ platform }) => platform)))
  all.delete(ANY_PLATFORM)
  const rank = (platform: string) => (visitor !== undefined && systemOf(platform) === visitor ? 0 : 1)
  return [...all].toSorted((a, b) => rank(a) - rank(b) || compareTexts(platformName(b), platformName(a)))
}

/** A product's builds on a branch, newest first; undefined if there are none. */
export function selectBuilds({ builds }: Product, branch: string, platform: string | undefined) {
  const onBranch = builds.filter((build) => build.branch === branch)
  const newest = onBranch.filter((build, index) => onBranch.findIndex((each) => each.platform === build.platform) === index)
  const match = newest.find((build) => build.platform === platform) ?? newest.find((build) => build.platform === ANY_PLATFORM)
  const build = match ?? newest[0]
  if (build === undefined) return undefined
  return {
    /** For the selected platform, else for all systems, else for another platform. */
    build,
    /** False if the build is for another platform. */
    isForPlatform: match !== undefined,
    otherPlatforms: newest.filter((each) => each !== build),
    older: onBranch.filter((each) => each.platform === build.platform && each !== build),
  }
}

export type System = 'Windows' | 'Linux' | 'macOS'

/** A build for this platform runs on every system. */
export const ANY_PLATFORM = 'any'

/** The system of a platform key; undefined if unknown. */
export function systemOf(platform: string): System | undefined {
  if (/win(?:32|64|dows)?(?:\W|_|$)/.test(platform) && !/darwin/.test(platform)) return 'Windows'
  if (/linux/.test(platform)) return 'Linux'
  if (/darwin|mac/.test(platform)) return 'macOS'
  return undefined
}

/** `x64_win32` -> `Windows x64`. Returns an unknown key unchanged. */
export function platformName(platform: string): string {
  if (platform === ANY_PLATFORM) return m.downloads_platform_any()
  const system = systemOf(platform)
  const [machine] = /x64|x86|arm64/.exec(platform) ?? []
  return system === undefined ? platform : [system, machine].filter(Boolean).join(' ')
}

const BRANCHES = new Map([
  ['release', { name: m.downloads_branch_release(), description: m.downloads_branch_release_about() }],
  ['rc', { name: m.downloads_branch_rc(), description: m.downloads_branch_rc_about() }],
  ['dev', { name: m.downloads_branch_dev(), description: m.downloads_branch_dev_about() }],
])

export function branchName(branch: string): string {
  return BRANCHES.get(branch)?.name ?? branch
}

/** Undefined for a custom branch. */
export function branchDescription(branch: string): string | undefined {
  return BRANCHES.get(branch)?.description
}

/** Known branches first, safest first; then the others by name. */
export function sortBranches(branches: Iterable<string>): string[] {
  const known = [...BRANCHES.keys()]
  const rank = (branch: string) => (known.includes(branch) ? known.indexOf(branch) : known.length)
  return [...new Set(branches)].toSorted((a, b) => rank(a) - rank(b) || compareTexts(a, b))
}

/** The visitor's system by user agent; undefined on phones or if unsure. */
export function visitorSystem(userAgent: string): System | undefined {
  if (/Android|iPhone|iPad|CrOS/.test(userAgent)) return undefined
  if (userAgent.includes('Windows')) return 'Windows'
  if (userAgent.includes('Macintosh')) return 'macOS'
  return userAgent.includes('Linux') ? 'Linux' : undefined
}
