import { useQuery } from '@tanstack/react-query'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { BENEFITS_IN_ORDER } from '#web/features/benefits/standing.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { adminBenefitsOptions } from './admin-benefits.api.ts'
import { GrantRow } from './grant-row.tsx'

/** Every benefit of somebody: where it comes from, and granting or taking it back. */
export function Grants({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const { data, error, refetch } = useQuery(adminBenefitsOptions(user.id))
  const held = data?.filter((each) => each.held).length
  return (
    <section aria-labelledby="grants-title" className="card">
      <header className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h2 id="grants-title" className="font-medium">
          Benefits
        </h2>
        {data && (
          <span className="text-13 text-ink-3 tabular-nums">
            {held} of {data.length} held
          </span>
        )}
      </header>
      <div className="border-t border-line">
        {data ? (
          <ul className="divide-y divide-line">
            {BENEFITS_IN_ORDER.map((key) => data.find((each) => each.key === key))
              .filter((each): each is BenefitOverview => each !== undefined)
              .map((benefit) => (
                <GrantRow key={benefit.key} benefit={benefit} user={user} isSelf={isSelf} />
              ))}
          </ul>
        ) : (
          <div className="space-y-5 p-5">
            {error ? <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote> : <SkeletonRows rows={10} />}
          </div>
        )}
      </div>
    </section>
  )
}
