import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx'

export function PagePending() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-8 h-20" />
      <Skeleton className="mt-5 h-72" />
    </div>
  )
}

export function PartPending() {
  return (
    <div role="status" aria-label={m.common_loading()} className="max-w-[840px] space-y-5">
      <PendingCard rows={1} />
      <PendingCard rows={2} />
    </div>
  )
}

export function ManagersPending() {
  return (
    <div role="status" aria-label={m.common_loading()} className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="space-y-5">
        <PendingCard rows={1} />
        <PendingCard rows={2} />
        <PendingCard rows={1} />
      </div>
      <PendingCard rows={5} />
    </div>
  )
}

export function ActivityPending() {
  return (
    <div role="status" aria-label={m.common_loading()} className="max-w-[840px]">
      <PendingCard rows={6} />
    </div>
  )
}

function PendingCard({ rows }: { rows: number }) {
  return (
    <div className="card p-5">
      <Skeleton className="h-5 w-36" />
      <div className="mt-4 space-y-5">
        <SkeletonRows rows={rows} />
      </div>
    </div>
  )
}

export function SettingsPending() {
  return (
    <>
      <PageHeader title={m.nav_settings()} />
      <div className="-mt-3 mb-6 flex gap-6 overflow-hidden border-b border-line px-3 pt-2.5 pb-[13px]">
        <Skeleton className="h-5 w-18" />
        <Skeleton className="h-5 w-18" />
        <Skeleton className="h-5 w-14" />
        <Skeleton className="h-5 w-20" />
      </div>
      <ManagersPending />
    </>
  )
}

export function ServerPagePending() {
  return (
    <div role="status" aria-label={m.common_loading()}>
      <h1 className="sr-only">{m.common_loading()}</h1>
      <Skeleton className="h-6 w-20" />
      <Skeleton className="mt-3 h-7 w-64 max-w-full" />
      <Skeleton className="mt-3.5 h-5 w-28" />
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
