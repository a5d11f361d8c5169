import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { COMPARED_RANGES, type HistoryRange } from '#contract/history/history.ts'

export const RANGES = ['24h', '7d', '31d', '1y'] as const satisfies readonly HistoryRange[]
const [DEFAULT_RANGE] = RANGES

export const canCompare = (range: HistoryRange) => COMPARED_RANGES.some((each) => each === range)

/** The range, and whether to show the week before: the URL's `range` and `compare`. No route has to declare them. */
export function useHistorySearch() {
  const raw: { range?: unknown; compare?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const range = RANGES.find((each) => each === raw.range) ?? DEFAULT_RANGE
  const compare = raw.compare === 'week' ? raw.compare : undefined
  const change = (to: { range?: HistoryRange; compare?: 'week' | undefined }, replace = false) => {
    const next = { range, compare, ...to }
    const params = { ...next, range: next.range === DEFAULT_RANGE ? undefined : next.range }
    void navigate({ to: '.', search: ((search: object) => ({ ...search, ...params })) as never, replace, resetScroll: false })
  }
  // Removes unknown and default values from the URL.
  const normalize = useEffectEvent(() => change({}, true))
  const isNormalized = raw.compare === compare && raw.range === (range === DEFAULT_RANGE ? undefined : range)
  useEffect(() => {
    if (!isNormalized) normalize()
  }, [isNormalized])
  return {
    range,
    setRange: (next: HistoryRange) => change({ range: next }),
    isComparing: compare !== undefined && canCompare(range),
    setComparing: (isOn: boolean) => change({ compare: isOn ? 'week' : undefined }),
  }
}
