import { cx } from './class-names.ts'

/** Appears after 150 ms, so a fast load does not flicker. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx('animate-[appear_0.1s_0.15s_both] rounded-6 bg-surface-2', className)} />
}

export function SkeletonRows({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className="flex gap-3">
      <Skeleton className="size-5 shrink-0 rounded-full" />
      <div className="flex-1 space-y-2">
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-3 w-24" />
      </div>
    </div>
  ))
}
