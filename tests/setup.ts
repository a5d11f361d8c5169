/** Fails a test that writes errors or warnings to the console or to the program's log. Closes what a file has started. */
import { afterAll, afterEach, expect, vi } from 'vitest'
import { running } from './running.ts'

const errors = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')

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
afterAll(async () => {
  for (const each of [...running].toReversed()) {
    running.delete(each)
    await each.close()
  }
})
