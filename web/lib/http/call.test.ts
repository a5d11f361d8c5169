/** API calls: requests, responses and errors. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, ConnectionError, HttpError } from './call.ts'

const fetchMock = vi.fn<typeof fetch>()

beforeEach(() => {
  fetchMock.mockReset()
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetchMock)
})
afterEach(() => void vi.unstubAllGlobals())

const json = (body: unknown, init?: ResponseInit) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' }, ...init })

test('sends parameters in the URL and the body as JSON, and returns the data of the envelope', async () => {
  fetchMock.mockResolvedValue(json({ data: { public_id: 'a/b' } }))
  const data = await call('PATCH /api/users/tokens/{id}', { params: { id: 'a/b' }, body: { name: 'New' } })
  expect(data).toEqual({ public_id: 'a/b' })
  const [url, init] = fetchMock.mock.calls[0] ?? []
  expect([url, init?.method, init?.body]).toEqual(['/api/users/tokens/a%2Fb', 'PATCH', '{"name":"New"}'])
})

test('a 204 response returns undefined', async () => {
  fetchMock.mockResolvedValue(new Response(null, { status: 204 }))
  await expect(call('POST /api/auth/me/delete/cancel')).resolves.toBeUndefined()
})

test('an error response throws an HttpError with the backend’s message and the request ID', async () => {
  const body = { statusCode: 404, errors: ['No such server.'], isBusiness: false }
  fetchMock.mockResolvedValue(json(body, { status: 404, statusText: 'Not Found', headers: { 'x-request-id': 'r-7' } }))
  const error = await call('GET /api/users/tokens/{id}', { params: { id: 'x' } }).catch((raised: unknown) => raised)
  expect(error).toBeInstanceOf(HttpError)
  expect(error).toMatchObject({ status: 404, statusText: 'Not Found', url: '/api/users/tokens/x', message: 'No such server.' })
  expect((error as HttpError).details).toMatch(/^GET \/api\/users\/tokens\/x\n[^]*\nRequest: r-7$/)
})

test('an error response without a JSON body has the status text as its message', async () => {
  fetchMock.mockResolvedValue(new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  await expect(call('GET /api/auth/me')).rejects.toMatchObject({ status: 502, message: 'Bad Gateway' })
})

test('a failed connection throws a ConnectionError, and an aborted call the original error', async () => {
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(call('GET /api/auth/me')).rejects.toBeInstanceOf(ConnectionError)
  const aborted = new AbortController()
  aborted.abort()
  await expect(call('GET /api/auth/me', { signal: aborted.signal })).rejects.toBeInstanceOf(TypeError)
})
