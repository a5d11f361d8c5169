/** What the open issues of a server do to its place on the list, and the notices in the replies to its announces. */
import { CONSEQUENCES, type Consequence, type IssueKind } from '#contract/protection.ts'
import type { Env } from '#backend/platform/env.ts'
import { DETECTORS } from './detectors.ts'
import { maskAddressesIn } from './mask-addresses.ts'

/** An open issue of a server and its present owner, as the list reads it. */
export interface ActiveIssue {
  readonly id: string
  readonly kind: IssueKind
  readonly consequence: Consequence
  readonly since: string
  readonly summary: string
}

interface Enforcement {
  readonly isUnlisted: boolean
  readonly isUnranked: boolean
  readonly arePlayersUnconfirmed: boolean
  readonly cause: { readonly title: string; readonly page: string; readonly since: number } | undefined
}

type PanelAddress = Pick<Env, 'PUBLIC_URL' | 'PORT'>

const MAX_NOTICES = 5

/** The same object for all who have none. */
export const NO_ENFORCEMENT: Enforcement = { isUnlisted: false, isUnranked: false, arePlayersUnconfirmed: false, cause: undefined }

/** The strongest issue counts. @param issues null where there are none. */
export function enforcementOf(issues: readonly ActiveIssue[] | null, where: PanelAddress): Enforcement {
  const [first] = strongestFirst(issues ?? [])
  if (issues === null || first === undefined) return NO_ENFORCEMENT
  const { consequence, kind, id, since } = first
  return {
    isUnlisted: consequence === 'UNLISTED',
    isUnranked: consequence === 'UNRANKED',
    arePlayersUnconfirmed: issues.some((issue) => DETECTORS[issue.kind].marksPlayersUnconfirmed),
    cause: consequence === 'NOTICE' ? undefined : { title: DETECTORS[kind].title, page: issueUrl(id, where), since: Date.parse(since) },
  }
}

/** The notices of an announce's reply, as JSON with commas between; empty where there is none. */
export function noticesOf(issues: readonly ActiveIssue[] | null, where: PanelAddress): string {
  if (issues === null) return ''
  return strongestFirst(issues)
    .slice(0, MAX_NOTICES)
    .map(({ id, kind, summary }) =>
      // The console of a game server shows nobody's address.
      JSON.stringify({ code: kind, message: `${maskAddressesIn(summary)} ${DETECTORS[kind].remedy} See ${issueUrl(id, where)}` }),
    )
    .join(',')
}

export const consequenceRank = (consequence: Consequence): number => CONSEQUENCES.indexOf(consequence)

/** Among equals the oldest, which stands first. */
function strongestFirst(issues: readonly ActiveIssue[]): ActiveIssue[] {
  return issues.toSorted((a, b) => consequenceRank(b.consequence) - consequenceRank(a.consequence))
}

function issueUrl(id: string, { PUBLIC_URL, PORT }: PanelAddress): string {
  return `${PUBLIC_URL ?? `http://localhost:${PORT}`}/protection-issues/${id}`
}
