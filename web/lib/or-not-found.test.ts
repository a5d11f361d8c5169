import { isNotFound } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { HttpError } from './http-error.ts'
import { orNotFound } from './or-not-found.ts'

const refusal = (status: number) => new HttpError({ status, statusText: 'Refused', url: '/api', body: undefined })

test('what is not there is a page that is not there; any other error stays what it is', async () => {
  await expect(orNotFound(Promise.resolve(7))).resolves.toBe(7)
  const raised: unknown = await orNotFound(Promise.reject(refusal(404))).catch((error: unknown) => error)
  expect(isNotFound(raised)).toBe(true)
  await expect(orNotFound(Promise.reject(refusal(502)))).rejects.toThrow('Refused')
})
