import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { ConnectionError, HttpError } from './http-error.ts'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => void vi.unstubAllGlobals())

const json = (body: unknown, init?: ResponseInit) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' }, ...init })

test('parameters go into the address, the body as JSON, and the data comes out of its envelope', async () => {
  fetched.mockResolvedValue(json({ data: { public_id: 'a/b' } }))
  const answer = await call('PATCH /api/users/tokens/{id}', { params: { id: 'a/b' }, body: { name: 'New' } })
  expect(answer).toEqual({ public_id: 'a/b' })
  const [url, init] = fetched.mock.calls[0] ?? []
  expect([url, init?.method, init?.body]).toEqual(['/api/users/tokens/a%2Fb', 'PATCH', '{"name":"New"}'])
})

test('a call with nothing to say answers nothing', async () => {
  fetched.mockResolvedValue(new Response(null, { status: 204 }))
  await expect(call('POST /api/auth/me/delete/cancel')).resolves.toBeUndefined()
})

test('a reply that is not OK raises an HttpError with what the backend said', async () => {
  const body = { statusCode: 404, errors: ['No such server.'], isBusiness: false }
  fetched.mockResolvedValue(json(body, { status: 404, statusText: 'Not Found', headers: { 'x-request-id': 'r-7' } }))
  const error = await call('GET /api/users/tokens/{id}', { params: { id: 'x' } }).catch((raised: unknown) => raised)
  expect(error).toBeInstanceOf(HttpError)
  expect(error).toMatchObject({ status: 404, statusText: 'Not Found', url: '/api/users/tokens/x', message: 'No such server.' })
  expect((error as HttpError).details).toMatch(/^GET \/api\/users\/tokens\/x\n[^]*\nRequest: r-7$/)
})

test('a reply whose body can’t be read is worded by its status', async () => {
  fetched.mockResolvedValue(new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  await expect(call('GET /api/auth/me')).rejects.toMatchObject({ status: 502, message: 'Bad Gateway' })
})

test('no reply at all is an error of the connection; a call given up on purpose is not', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(call('GET /api/auth/me')).rejects.toBeInstanceOf(ConnectionError)
  const given = new AbortController()
  given.abort()
  await expect(call('GET /api/auth/me', { signal: given.signal })).rejects.toBeInstanceOf(TypeError)
})
