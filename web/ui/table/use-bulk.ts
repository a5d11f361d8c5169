import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Outcome, runBulk } from './run-bulk.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Does one act to each row. @param onDone hears the rows that it was not done to, also where nobody looks any more. */
export function useBulk<R>(idOf: (row: R) => string, act: (row: R) => Promise<unknown>, onDone: (left: ReadonlySet<string>) => void) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>()
  const [running, setRunning] = useState(false)
  const isGone = useRef(false)
  const latest = useRef(onDone)
  useEffect(() => {
    latest.current = onDone
  })
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  // The list under it may turn to another of its pages: nothing of the run is lost by that.
  useBlocker({
    shouldBlockFn: ({ current, next }) => running && current.pathname !== next.pathname,
    enableBeforeUnload: () => running,
  })
  const run = async (rows: readonly R[]) => {
    setRunning(true)
    setOutcomes(new Map(rows.map((row) => [idOf(row), null])))
    const left = await runBulk({
      rows,
      act,
      onOutcome: (row, outcome) => setOutcomes((before) => new Map(before).set(idOf(row), outcome)),
      isOver: () => isGone.current,
      wait,
    })
    setRunning(false)
    latest.current(new Set(left.map(idOf)))
  }
  return { outcomes, running, run }
}
