import { SPARKLINE_HEIGHT, sparklineOf } from '#web/features/history/sparkline-path.ts'

/** Steps of a week are drawn in pairs, because a row of the list has few pixels. */
function pairs(values: readonly (number | null)[]): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / 2) }, (_, index) => {
    const known = values.slice(index * 2, index * 2 + 2).filter((value) => value !== null)
    return known.length === 0 ? null : Math.max(...known)
  })
}

/** The players of seven days. Hidden from screen readers: the page of the server says it in words. */
export function WeekSparkline({ week }: { week: readonly (number | null)[] }) {
  const values = pairs(week)
  const sparkline = sparklineOf(values)
  if (sparkline === null) return <span className="row-week" />
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${values.length} ${SPARKLINE_HEIGHT}`} preserveAspectRatio="none" className="row-week">
      <path d={sparkline.line} />
    </svg>
  )
}
