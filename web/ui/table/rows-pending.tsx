import { Skeleton } from '#web/ui/skeleton.tsx'

/** Rows in the shape of what comes. */
export function RowsPending({ label, rows = 10 }: { label: string; rows?: number }) {
  return (
    <div role="status" aria-label={`Loading: ${label}`} className="card divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex min-h-14 items-center gap-3 px-4 py-2">
          <Skeleton className="size-8 shrink-0" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-48 max-w-full" />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="h-6 w-24 max-sm:hidden" />
          <Skeleton className="h-4 w-32 max-lg:hidden" />
        </div>
      ))}
    </div>
  )
}
