/** A test that writes an error or a warning fails: noise hides the next real one. */
import { afterEach, expect, vi } from 'vitest'

const errors = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')

afterEach(() => {
  const said = [...errors.mock.calls, ...warnings.mock.calls].map((args) => args.join(' '))
  errors.mockClear()
  warnings.mockClear()
  expect(said, 'the test wrote errors or warnings').toEqual([])
})
