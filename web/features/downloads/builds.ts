import type { Product } from '#contract/downloads.ts'
import { ANY_PLATFORM, inBranchOrder, platformName, type System, systemOf } from './platforms.ts'

export interface Selection {
  readonly branch?: string | undefined
  readonly platform?: string | undefined
}

export type Offer = NonNullable<ReturnType<typeof offerOf>>

export function branchesOf(products: readonly Product[]): string[] {
  return inBranchOrder(products.flatMap(({ builds }) => builds.map(({ branch }) => branch)))
}

/** All selectable platforms, the visitor's own first. */
export function platformsOf(products: readonly Product[], visitor: System | undefined): string[] {
  const all = new Set(products.flatMap(({ builds }) => builds.map(({ platform }) => platform)))
  all.delete(ANY_PLATFORM)
  const place = (platform: string) => (visitor !== undefined && systemOf(platform) === visitor ? 0 : 1)
  return [...all].toSorted((a, b) => place(a) - place(b) || platformName(b).localeCompare(platformName(a)))
}

/** A product's builds on a branch, newest first; undefined if there are none. */
export function offerOf({ builds }: Product, branch: string, platform: string | undefined) {
  const here = builds.filter((build) => build.branch === branch)
  const newest = here.filter((build, at) => here.findIndex((each) => each.platform === build.platform) === at)
  const fits = newest.find((build) => build.platform === platform) ?? newest.find((build) => build.platform === ANY_PLATFORM)
  const build = fits ?? newest[0]
  if (build === undefined) return undefined
  return {
    /** For the selected platform, else for all systems, else for another platform. */
    build,
    /** False if the build is for another platform. */
    suits: fits !== undefined,
    elsewhere: newest.filter((each) => each !== build),
    older: here.filter((each) => each.platform === build.platform && each !== build),
  }
}
