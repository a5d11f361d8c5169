/** Defaults of queries and mutations: retries, refetching, and reporting of 403. */
import { describe, expect, test, vi } from 'vitest'
import { ConnectionError, HttpError } from './call.ts'
import { createQueryClient } from './query-client.ts'
import { shouldRetry } from './retry.ts'

const failed = (status: number) => new HttpError({ status, statusText: '', url: '/', body: null })

describe('a failed call is retried', () => {
  test.each([500, 501, 502, 504, 599])('once after a %d', (status) => {
    expect([shouldRetry(0, failed(status)), shouldRetry(1, failed(status))]).toEqual([true, false])
  })

  test.each([400, 401, 403, 404, 409, 429, 503])('never after a %d', (status) => {
    expect(shouldRetry(0, failed(status))).toBe(false)
  })

  test('never after a failed connection or any other error', () => {
    expect(shouldRetry(0, new ConnectionError(null))).toBe(false)
    expect(shouldRetry(0, new Error('other'))).toBe(false)
  })
})

test('queries and mutations share the rule, focus refetches, and mounting refetches only invalidated queries', () => {
  const { queries, mutations } = createQueryClient(() => {}).getDefaultOptions()
  expect([queries?.retry, mutations?.retry]).toEqual([shouldRetry, shouldRetry])
  expect(queries?.refetchOnWindowFocus).toBe(true)
  const onMount = queries?.refetchOnMount as (query: { state: { isInvalidated: boolean } }) => boolean
  // Invalidated queries changed while no component showed them.
  expect([false, true].map((isInvalidated) => onMount({ state: { isInvalidated } }))).toEqual([false, true])
})

describe('a 403 is reported', () => {
  const onForbidden = vi.fn<(key: readonly unknown[] | undefined) => void>()
  const client = createQueryClient(onForbidden)
  const runQuery = (queryKey: unknown[], status: number) =>
    client.fetchQuery({ queryKey, queryFn: () => Promise.reject(failed(status)), retry: false }).catch(() => {})

  test('with the key of a query, without a key for a mutation, and no other status', async () => {
    await runQuery(['me'], 403)
    await runQuery(['server', 'a'], 404)
    await client
      .getMutationCache()
      .build(client, { mutationFn: () => Promise.reject(failed(403)) })
      .execute(undefined)
      .catch(() => {})
    expect(onForbidden.mock.calls).toEqual([[['me']], [undefined]])
  })
})
