/** Rejection of incomplete forms. The tests of uploads cover complete ones. */
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readForm } from './form.ts'

const RULE = { texts: ['purpose'], file: 'file', path: '/nowhere', maxBytes: 1000 }

/** A request whose parts never arrive. */
function endlessRequest(destroyed: boolean) {
  const raw = {
    destroyed,
    destroy: () => {
      raw.destroyed = true
    },
  }
  const parts = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) })
  return { raw, headers: {}, isMultipart: () => true, parts } as unknown as FastifyRequest
}

test('rejects a form at once if the client has already left', async () => {
  await expect(readForm(endlessRequest(true), RULE)).rejects.toThrow('The form is broken or incomplete.')
})

test('rejects a form that never ends, and closes the connection', async () => {
  const request = endlessRequest(false)
  await expect(readForm(request, RULE, 50)).rejects.toThrow('The form is broken or incomplete.')
  expect(request.raw.destroyed).toBe(true)
})
