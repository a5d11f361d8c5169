import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import type { HistoryRange } from '#contract/history.ts'
import { rangeOf, USUAL } from './ranges.ts'

/** How far back the open page looks. It stands in the address, beside whatever else does: no route has to know it. */
export function useRange(): [range: HistoryRange, choose: (range: HistoryRange) => void] {
  const { range: raw }: { range?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = useCallback(
    (range: HistoryRange | undefined, replace: boolean) =>
      void navigate({ to: '.', search: ((before: object) => ({ ...before, range })) as never, replace, resetScroll: false }),
    [navigate],
  )
  const range = rangeOf(raw)
  // What makes no sense in an address that was typed, or is not said there, leaves it.
  useEffect(() => {
    if (raw !== undefined && raw !== range) go(range, true)
  }, [raw, range, go])
  return [range ?? USUAL, useCallback((next: HistoryRange) => go(rangeOf(next), false), [go])]
}
