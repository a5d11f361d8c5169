import { MAX_CLOCK_OFFSET_MS, MAX_CLOCK_SKEW_MS } from '#backend/app/status/thresholds.ts'
import { type Finding, failed, ok, warning } from './check.ts'

/** @param aheadMs how far the other clock is ahead of this machine's; negative if it is behind. */
export function clockFinding(aheadMs: number, other: string): Finding {
  const seconds = Math.abs(aheadMs) / 1000
  if (Math.abs(aheadMs) <= MAX_CLOCK_OFFSET_MS)
    return ok(`This machine and ${other} agree within ${Math.max(0.1, seconds).toFixed(1)} seconds.`)
  const message = `This machine's clock is ${Math.round(seconds)} seconds ${aheadMs > 0 ? 'behind' : 'ahead of'} ${other}.`
  return (Math.abs(aheadMs) > MAX_CLOCK_SKEW_MS ? failed : warning)(message, 'Synchronize both machines with NTP, for example with chrony.')
}
