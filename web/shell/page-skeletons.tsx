import { m } from '#messages'
import { Skeleton, SkeletonRows } from '#web/ui/states.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export function PageSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-8 h-20" />
      <Skeleton className="mt-5 h-72" />
    </div>
  )
}

export function CardsSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="max-w-[840px] space-y-5">
      {[1, 2, 4].map((rows) => (
        <div key={rows} className="card p-5">
          <Skeleton className="h-5 w-36" />
          <div className="mt-4 space-y-5">
            <SkeletonRows rows={rows} />
          </div>
        </div>
      ))}
    </div>
  )
}

export function SettingsSkeleton() {
  return (
    <>
      <PageHeader title={m.nav_settings()} />
      <div className="lg:ml-[208px] lg:max-w-[720px]">
        <Skeleton className="mb-6 h-10 lg:hidden" />
        <CardsSkeleton />
      </div>
    </>
  )
}

export function ServerPageSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <Skeleton className="h-9 max-sm:-mt-4 sm:h-60" />
      <Skeleton className="mt-6 h-10 max-sm:hidden" />
      <div className="mt-6 grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
        <Skeleton className="h-80 rounded-10" />
        <Skeleton className="h-80 rounded-10" />
      </div>
    </div>
  )
}
