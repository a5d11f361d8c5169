import { BENEFIT_KEYS } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,300px),1fr))] gap-4'
/** For a benefit without a tier, which has its own row. */
export const WIDE = 'col-span-full'

export function BenefitsSkeleton() {
  return (
    <>
      <PageHeader title={m.nav_benefits()} />
      <Skeleton className="mb-8 h-44 rounded-10 lg:h-24" />
      <BenefitGridSkeleton />
    </>
  )
}

export function BenefitGridSkeleton() {
  return (
    <div role="status" aria-label={m.benefits_loading()} className={GRID}>
      {BENEFIT_KEYS.slice(1).map((key) => (
        <div key={key} className="card p-5">
          <div className="flex items-center justify-between">
            <Skeleton className="size-9 rounded-10" />
            <Skeleton className="h-4 w-28" />
          </div>
          <Skeleton className="mt-3.5 h-5 w-36" />
          <Skeleton className="mt-2 h-4 w-full" />
          <Skeleton className="mt-1.5 h-4 w-2/3" />
          <div className="mt-4 border-t border-line pt-4">
            <Skeleton className="h-5 w-40" />
          </div>
        </div>
      ))}
      <div className={`card flex items-center gap-4 p-5 ${WIDE}`}>
        <Skeleton className="size-9 rounded-10" />
        <Skeleton className="h-10 flex-1" />
      </div>
    </div>
  )
}

export function BenefitSettingsSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <Skeleton className="h-6 w-20" />
      <div className="mt-2 flex items-center gap-3">
        <Skeleton className="size-9 rounded-10" />
        <Skeleton className="h-7 w-56 max-w-full" />
      </div>
      <Skeleton className="mt-2.5 h-4 w-96 max-w-full" />
      <div className="mt-7 grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
        <Skeleton className="h-80 rounded-10" />
        <Skeleton className="h-96 rounded-10" />
      </div>
    </div>
  )
}
