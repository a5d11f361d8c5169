/** Forms that do not end. What forms may hold is tested where they are taken. */
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readForm } from './form.ts'

const RULE = { texts: ['purpose'], file: 'file', path: '/nowhere', maxBytes: 1000 }

/** A request whose parts never come, whatever happens to it. */
function endless(destroyed: boolean) {
  const raw = {
    destroyed,
    destroy: () => {
      raw.destroyed = true
    },
  }
  const parts = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) })
  return { raw, headers: {}, isMultipart: () => true, parts } as unknown as FastifyRequest
}

test('a form whose sender has left already is not waited for', async () => {
  await expect(readForm(endless(true), RULE)).rejects.toThrow('The form is broken or incomplete.')
})

test('a form that does not end is ended, and its connection with it', async () => {
  const request = endless(false)
  await expect(readForm(request, RULE, 50)).rejects.toThrow('The form is broken or incomplete.')
  expect(request.raw.destroyed).toBe(true)
})
