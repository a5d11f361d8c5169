import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function DownloadsSkeleton() {
  return (
    <>
      <PageHeader title={m.nav_downloads()} />
      <div role="status" aria-label={m.common_loading()}>
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <Skeleton className="h-10.5 w-50 rounded-10" />
          <Skeleton className="h-10.5 w-62 rounded-10" />
        </div>
        <div className="mt-8 space-y-5">
          {[0, 1, 2].map((card) => (
            <div key={card} className="card p-5">
              <Skeleton className="h-5 w-36" />
              <Skeleton className="mt-2 h-4 w-2/3" />
              <Skeleton className="mt-5 h-8 w-28" />
              <Skeleton className="mt-2 h-4 w-56" />
              <Skeleton className="mt-5 h-4 w-full max-w-110" />
            </div>
          ))}
        </div>
      </div>
    </>
  )
}
