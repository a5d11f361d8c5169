import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { COMPARED_RANGES, type HistoryRange } from '#contract/history/history.ts'

export const canCompare = (range: HistoryRange) => COMPARED_RANGES.some((each) => each === range)

/** Whether the URL's `compare` parameter asks for the week before. No route has to declare it. */
export function useCompare(): [isComparing: boolean, setComparing: (isComparing: boolean) => void] {
  const { compare }: { compare?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const isComparing = compare === 'week'
  const set = useCallback(
    (next: boolean, replace: boolean) =>
      void navigate({
        to: '.',
        search: ((search: object) => ({ ...search, compare: next ? 'week' : undefined })) as never,
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  // Removes an unknown value from the URL.
  useEffect(() => {
    if (compare !== undefined && !isComparing) set(false, true)
  }, [compare, isComparing, set])
  return [isComparing, useCallback((next: boolean) => set(next, false), [set])]
}
