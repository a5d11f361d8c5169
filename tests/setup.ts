/** Fails a test that writes errors or warnings to the console. */
import { afterEach, expect, vi } from 'vitest'

const errors = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')

afterEach(() => {
  const written = [...errors.mock.calls, ...warnings.mock.calls].map((args) => args.join(' '))
  errors.mockClear()
  warnings.mockClear()
  expect(written, 'the test wrote errors or warnings').toEqual([])
})
