import { Link } from '@tanstack/react-router'
import type { IssueDetail, IssueKind } from '#contract/protection.ts'
import { buttonClass } from '#web/ui/button.tsx'
import type { Viewer } from './issue-list.tsx'
import { isOpen } from './words.ts'

type Tab = 'listing' | 'announces' | undefined

interface Place {
  readonly tab: Tab
  readonly says: string
}

/** Where on the server's page the remedy is at hand; its first tab has the credential and the address. */
const PLACES: Partial<Record<IssueKind, Place>> = {
  ADDRESS_MISMATCH: { tab: undefined, says: 'To its address and credential' },
  REVOKED_CREDENTIAL: { tab: undefined, says: 'To its credential' },
  IMPERSONATION: { tab: 'listing', says: 'Change its name' },
}
const ANNOUNCES: Place = { tab: 'announces', says: 'See its announces' }

/** What to do about it, and the way there. */
export function Remedy({ issue, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const { tab, says } = PLACES[issue.kind] ?? ANNOUNCES
  return (
    <section aria-labelledby="remedy" className="card p-5">
      <h2 id="remedy" className="font-medium">
        What to do
      </h2>
      <p className="mt-2 text-pretty text-ink-2">{issue.remedy}</p>
      {viewer === 'owner' && issue.server && isOpen(issue) && (
        <Link
          to="/servers/$server_id"
          params={{ server_id: issue.server.public_id }}
          search={tab === undefined ? {} : { tab }}
          className={buttonClass('secondary', 'mt-4')}
        >
          {says}
        </Link>
      )}
    </section>
  )
}
