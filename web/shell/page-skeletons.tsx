import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx'

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
      <CardSkeleton rows={1} />
      <CardSkeleton rows={2} />
    </div>
  )
}

export function ManagersSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="space-y-5">
      <CardSkeleton rows={1} />
      <CardSkeleton rows={2} />
      <CardSkeleton rows={1} />
      <CardSkeleton rows={5} />
    </div>
  )
}

export function ActivitySkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="max-w-[840px]">
      <CardSkeleton rows={6} />
    </div>
  )
}

function CardSkeleton({ rows }: { rows: number }) {
  return (
    <div className="card p-5">
      <Skeleton className="h-5 w-36" />
      <div className="mt-4 space-y-5">
        <SkeletonRows rows={rows} />
      </div>
    </div>
  )
}

export function SettingsSkeleton() {
  return (
    <>
      <PageHeader title={m.nav_settings()} />
      <div className="lg:grid lg:grid-cols-[176px_minmax(0,720px)] lg:gap-8">
        <Skeleton className="mb-6 h-10 max-w-[720px] lg:hidden" />
        <div className="space-y-4 pt-2 max-lg:hidden">
          <Skeleton className="h-5 w-18" />
          <Skeleton className="h-5 w-18" />
          <Skeleton className="h-5 w-18" />
          <Skeleton className="h-5 w-14" />
          <Skeleton className="h-5 w-24" />
        </div>
        <ManagersSkeleton />
      </div>
    </>
  )
}

export function ServerPageSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <div className="max-sm:-mt-3">
        <Skeleton className="h-6 w-20" />
        <Skeleton className="mt-2 h-20 rounded-10 sm:h-40" />
      </div>
      <div className="flex gap-x-3 px-3 sm:gap-x-4 sm:px-5">
        <Skeleton className="-mt-5 size-14 rounded-10 sm:-mt-8 sm:size-16" />
        <div className="flex-1">
          <Skeleton className="h-7 w-64 max-w-full sm:mt-3" />
          <Skeleton className="mt-1.5 h-5 w-28" />
        </div>
      </div>
      <div className="mt-7 flex gap-3 border-b border-line pb-3">
        <Skeleton className="h-5 w-20" />
        <Skeleton className="h-5 w-16" />
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-5 w-16" />
      </div>
      <div className="mt-6 grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
        <Skeleton className="h-80 rounded-10" />
        <div className="space-y-5">
          <Skeleton className="h-48 rounded-10" />
          <Skeleton className="h-36 rounded-10" />
        </div>
      </div>
    </div>
  )
}
