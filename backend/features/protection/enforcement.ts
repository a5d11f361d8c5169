/** What the open issues of a server do to its place on the list, and the notices in the replies to its announces. */
import { CONSEQUENCES, type Consequence, type IssueKind } from '#contract/protection.ts'
import type { Env } from '#backend/platform/env.ts'
import { DETECTORS } from './detectors.ts'
import { maskText } from './masking.ts'

/** An open issue of a server and its present owner, as the list reads it. */
export interface IssueInForce {
  readonly id: string
  readonly kind: IssueKind
  readonly consequence: Consequence
  readonly since: string
  readonly summary: string
}

interface Standing {
  readonly isUnlisted: boolean
  readonly isUnranked: boolean
  readonly arePlayersDoubted: boolean
  readonly heldBy: { readonly title: string; readonly page: string; readonly since: number } | undefined
}

type Where = Pick<Env, 'PUBLIC_URL' | 'PORT'>

const MAX_NOTICES = 5

/** The same object for all who have none. */
export const UNTOUCHED: Standing = { isUnlisted: false, isUnranked: false, arePlayersDoubted: false, heldBy: undefined }

/** The strongest issue counts. @param issues null where there are none. */
export function standingOf(issues: readonly IssueInForce[] | null, where: Where): Standing {
  const [first] = strongestFirst(issues ?? [])
  if (issues === null || first === undefined) return UNTOUCHED
  const { consequence, kind, id, since } = first
  return {
    isUnlisted: consequence === 'UNLISTED',
    isUnranked: consequence === 'UNRANKED',
    arePlayersDoubted: issues.some((issue) => DETECTORS[issue.kind].doubtsPlayers),
    heldBy: consequence === 'NOTICE' ? undefined : { title: DETECTORS[kind].title, page: pageOf(id, where), since: Date.parse(since) },
  }
}

/** The notices of an announce's reply, as JSON with commas between; empty where there is none. */
export function noticesOf(issues: readonly IssueInForce[] | null, where: Where): string {
  if (issues === null) return ''
  return strongestFirst(issues)
    .slice(0, MAX_NOTICES)
    .map(({ id, kind, summary }) =>
      // The console of a game server shows nobody's address.
      JSON.stringify({ code: kind, message: `${maskText(summary)} ${DETECTORS[kind].remedy} See ${pageOf(id, where)}` }),
    )
    .join(',')
}

export const strengthOf = (consequence: Consequence): number => CONSEQUENCES.indexOf(consequence)

/** Among equals the oldest, which stands first. */
function strongestFirst(issues: readonly IssueInForce[]): IssueInForce[] {
  return issues.toSorted((a, b) => strengthOf(b.consequence) - strengthOf(a.consequence))
}

function pageOf(id: string, { PUBLIC_URL, PORT }: Where): string {
  return `${PUBLIC_URL ?? `http://localhost:${PORT}`}/protection-issues/${id}`
}
