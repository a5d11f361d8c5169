import type { Product } from '#contract/public-site/downloads.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { ANY_PLATFORM, sortBranches, platformName, type System, systemOf } from './platforms.ts'

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
