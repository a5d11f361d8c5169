/** Fails a test that writes errors or warnings to the console or to the program's log. Closes what a test or its file has started. */
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { type Running, running } from './running.ts'

const errors = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')

/** What runs for several tests. */
let shared: ReadonlySet<Running>

async function close(started: readonly Running[]) {
  for (const each of started.toReversed()) {
    running.delete(each)
    await each.close()
  }
}

beforeEach(() => {
  shared = new Set(running)
})
// Hooks run in reverse order: first the logs are read. A program that no test needs would cost time until the end of the file.
afterEach(() => close([...running].filter((each) => !shared.has(each))))
afterEach(() => {
  const written = [...errors.mock.calls, ...warnings.mock.calls].map((args) => args.join(' '))
  errors.mockClear()
  warnings.mockClear()
  expect(written, 'the test wrote errors or warnings').toEqual([])
})
afterEach(() => {
  const logs = [...running].flatMap((each) => each.takeLogs?.() ?? [])
  // The message contains the logs, because CI prints no diff.
  expect(logs, `the program logged warnings or errors:\n${logs.join('')}`).toEqual([])
})
afterAll(() => close([...running]))
