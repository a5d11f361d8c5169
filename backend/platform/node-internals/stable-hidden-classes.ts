/**
 * Keeps one object alive of each kind that every request makes. If none is alive when V8 collects garbage, it forgets their hidden class and
 * throws optimized code away: with 30,000 servers an announce then costs a tenth more. Source: V8's weak maps in optimized code;
 * `node --trace-deopt` reports "embedded weak objects cleared".
 */
import { executionAsyncResource } from 'node:async_hooks'
import { usesNodeInternals } from './node-internals.ts'

const kept: { tick?: object; response?: unknown; announce?: unknown } = {}

export function keepHiddenClass(kind: 'response' | 'announce', what: unknown): void {
  if (!usesNodeInternals()) return
  kept[kind] = what
  // Node's own object for each `process.nextTick`.
  if (kept.tick === undefined) process.nextTick(() => (kept.tick = executionAsyncResource()))
}
