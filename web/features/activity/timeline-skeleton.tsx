import { Skeleton } from '#web/ui/skeleton.tsx'

/** Keeps the place of entries that are on their way. */
export function TimelineSkeleton({ rows, plain = false }: { rows: number; plain?: boolean }) {
  return (
    <div role="status" aria-label="Loading what happened" className={plain ? 'space-y-5' : 'card space-y-5 p-5'}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex gap-3">
          <Skeleton className="size-5 rounded-full" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-3/4" />
            <Skeleton className="h-3 w-24" />
          </div>
        </div>
      ))}
    </div>
  )
}
