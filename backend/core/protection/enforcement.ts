/** Effects of open issues on a server's listing and on the notices in its announce replies. */
import { m } from '#api-messages'
import { CONSEQUENCES, type Consequence, type IssueKind } from '#contract/protection/protection.ts'
import type { Env } from '#backend/platform/env.ts'
import { translateStored } from '#backend/platform/messages/stored-text.ts'
import { DETECTORS } from './detectors.ts'
import { maskAddressesIn } from './mask-addresses.ts'

/** An open issue of a server's current owner, as the list loads it. */
export interface ActiveIssue {
  readonly id: string
  readonly kind: IssueKind
  readonly consequence: Consequence
  readonly since: string
  readonly summary: string
}

/** The consequences of open protection issues. */
export interface Enforcement {
  readonly isUnlisted: boolean
  /** Ranked after all others, even if promoted. */
  readonly isUnranked: boolean
  /** Its players don't count for its rank. */
  readonly arePlayersUnconfirmed: boolean
  /** The strongest issue, if it affects the listing. */
  readonly cause: { readonly kind: IssueKind; readonly page: string; readonly since: number } | undefined
}

type PanelAddress = Pick<Env, 'PUBLIC_URL' | 'PORT'>

const MAX_NOTICES = 5

/** One shared object for all servers without issues. */
const NO_ENFORCEMENT: Enforcement = { isUnlisted: false, isUnranked: false, arePlayersUnconfirmed: false, cause: undefined }

/** The issue with the strongest consequence decides. @param issues null if there are none. */
export function enforcementOf(issues: readonly ActiveIssue[] | null, panel: PanelAddress): Enforcement {
  const [first] = strongestFirst(issues ?? [])
  if (issues === null || first === undefined) return NO_ENFORCEMENT
  const { consequence, kind, id, since } = first
  return {
    isUnlisted: consequence === 'UNLISTED',
    isUnranked: consequence === 'UNRANKED',
    arePlayersUnconfirmed: issues.some((issue) => DETECTORS[issue.kind].marksPlayersUnconfirmed),
    cause: consequence === 'NOTICE' ? undefined : { kind, page: issueUrl(id, panel), since: Date.parse(since) },
  }
}

/** What announce replies say about an open issue. */
export interface FindingNotice {
  readonly kind: IssueKind
  /** As it is stored, but without addresses: a game server's console may be public. */
  readonly summary: string
  readonly page: string
}

/** One shared array for all servers without issues. */
export const NO_FINDING_NOTICES: readonly FindingNotice[] = []

export function findingNoticesOf(issues: readonly ActiveIssue[] | null, panel: PanelAddress): readonly FindingNotice[] {
  if (issues === null || issues.length === 0) return NO_FINDING_NOTICES
  return strongestFirst(issues)
    .slice(0, MAX_NOTICES)
    .map(({ id, kind, summary }) => ({ kind, summary: maskAddressesIn(summary), page: issueUrl(id, panel) }))
}

/** In the language of the request. */
export function findingNotice({ kind, summary, page }: FindingNotice): { code: IssueKind; message: string } {
  return { code: kind, message: m.listing_finding({ summary: translateStored(summary), remedy: DETECTORS[kind].remedy(), page }) }
}

export const consequenceRank = (consequence: Consequence): number => CONSEQUENCES.indexOf(consequence)

/** Among equals the oldest comes first, because the sort is stable and `issues` is sorted by age. */
function strongestFirst(issues: readonly ActiveIssue[]): ActiveIssue[] {
  return issues.toSorted((a, b) => consequenceRank(b.consequence) - consequenceRank(a.consequence))
}

function issueUrl(id: string, { PUBLIC_URL, PORT }: PanelAddress): string {
  return `${PUBLIC_URL ?? `http://localhost:${PORT}`}/protection-issues/${id}`
}
