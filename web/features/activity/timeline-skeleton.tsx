import { SkeletonRows } from '#web/ui/skeleton.tsx'

/** Keeps the place of entries that are on their way. */
export function TimelineSkeleton({ rows, plain = false }: { rows: number; plain?: boolean }) {
  return (
    <div role="status" aria-label="Loading what happened" className={plain ? 'space-y-5' : 'card space-y-5 p-5'}>
      <SkeletonRows rows={rows} />
    </div>
  )
}
