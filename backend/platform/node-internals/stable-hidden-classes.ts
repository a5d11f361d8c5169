/**
 * Keeps one object alive of each kind that every request creates. If V8 finds none during a garbage collection, it drops their hidden class and
 * the optimized code: with 30,000 servers an announce then costs a tenth more. Source: V8's weak maps in optimized code;
 * `node --trace-deopt` reports "embedded weak objects cleared".
 */
import { executionAsyncResource } from 'node:async_hooks'
import { usesNodeInternals } from './node-internals.ts'

const kept: { tick?: object; response?: unknown; announce?: unknown } = {}

export function keepHiddenClass(kind: 'response' | 'announce', object: unknown): void {
  if (!usesNodeInternals()) return
  kept[kind] = object
  // Node's own object for each `process.nextTick`.
  if (kept.tick === undefined) process.nextTick(() => (kept.tick = executionAsyncResource()))
}
