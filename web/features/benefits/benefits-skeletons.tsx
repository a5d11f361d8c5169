import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,300px),1fr))] gap-4'

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
      {Array.from({ length: 9 }, (_, index) => (
        <Skeleton key={index} className="h-48 rounded-10" />
      ))}
    </div>
  )
}

export function BenefitSettingsSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <Skeleton className="h-24 max-w-96" />
      <div className="mt-7 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
        <Skeleton className="h-96 rounded-10" />
        <Skeleton className="h-96 rounded-10" />
      </div>
    </div>
  )
}
