import { Curve, DashedLine } from '#web/ui/chart/curve.tsx'
import { sparklineOf } from '#web/ui/chart/sparkline-path.ts'

/** Steps of a week are drawn in pairs, because a row of the list has few pixels. */
function pairs(values: readonly (number | null)[]): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / 2) }, (_, index) => {
    const known = values.slice(index * 2, index * 2 + 2).filter((value) => value !== null)
    return known.length === 0 ? null : Math.max(...known)
  })
}

/** The players of seven days. Hidden from screen readers: the page of the server says it in words. */
export function WeekSparkline({ week }: { week: readonly (number | null)[] }) {
  const sparkline = sparklineOf(pairs(week))
  const size = 'h-7 w-full max-lg:hidden'
  return sparkline ? <Curve of={sparkline} isLine className={`${size} text-accent`} /> : <DashedLine className={size} />
}
