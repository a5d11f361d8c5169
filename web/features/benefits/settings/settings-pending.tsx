import { Skeleton } from '#web/ui/skeleton.tsx'

/** A benefit's settings while they load. */
export function BenefitSettingsPending() {
  return (
    <div role="status" aria-label="Loading">
      <h1 className="sr-only">Loading</h1>
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
