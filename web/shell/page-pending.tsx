import { Skeleton } from '#web/ui/skeleton.tsx'

/** Keeps the place of a page that is on its way. */
export function PagePending() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="mt-8 h-20" />
      <Skeleton className="mt-5 h-72" />
    </div>
  )
}
