import { m } from '#messages'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function DownloadsSkeleton() {
  return (
    <>
      <PageHeader title={m.nav_downloads()} />
      <div role="status" aria-label={m.common_loading()} className="space-y-5">
        <Skeleton className="mb-8 h-10.5 max-w-112 rounded-10" />
        {[0, 1, 2].map((card) => (
          <Skeleton key={card} className="h-50 rounded-10" />
        ))}
      </div>
    </>
  )
}
