/** Not-found errors of the router. */
import { isNotFound } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { HttpError } from './call.ts'
import { orNotFound } from './or-not-found.ts'

const httpError = (status: number) => new HttpError({ status, statusText: 'Rejected', url: '/api', body: undefined })

test('a 404 becomes a not-found error of the router, and other results and errors pass unchanged', async () => {
  await expect(orNotFound(Promise.resolve(7))).resolves.toBe(7)
  const raised: unknown = await orNotFound(Promise.reject(httpError(404))).catch((error: unknown) => error)
  expect(isNotFound(raised)).toBe(true)
  await expect(orNotFound(Promise.reject(httpError(502)))).rejects.toThrow('Rejected')
})
