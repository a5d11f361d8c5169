/** The panel's HTTP server: headers, malformed requests, host names, queries, and the event stream. */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, isOnMasterList, parseRoute } from '#contract/api/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import * as live from '#contract/masterlist/live.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { RELEASE } from '#backend/platform/version.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

/** Sends raw text and returns everything received until the server closes the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.panelUrl).port), '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.setTimeout(5000, () => socket.destroy(new Error('The connection hangs.')))
  })
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])
const bodyOf = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '')

describe('every response', () => {
  test('allows the style element of the installed toast library', async () => {
    const library = readFileSync('node_modules/sonner/dist/index.mjs', 'utf8')
    const styles = JSON.parse(/^__insertCSS\((".*?")\)/m.exec(library)?.[1] ?? '') as string
    const policy = (await app.anonymous.fetch('/login')).headers.get('content-security-policy')
    for (const text of ['', styles]) expect(policy).toContain(`'sha256-${hash('sha256', text, 'base64')}'`)
  })

  test('has the headers that keep other pages and scripts out', async () => {
    for (const path of ['/api/about', '/api/nothing', '/api/auth/me']) {
      const { headers } = await app.anonymous.fetch(path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('of a page has a policy that lets nothing of other origins run', async () => {
    const policy = (await app.anonymous.fetch('/login')).headers.get('content-security-policy')?.split(';')
    const none = ['default-src', 'base-uri', 'frame-ancestors', 'object-src'].map((directive) => `${directive} 'none'`)
    expect(policy).toEqual(expect.arrayContaining([...none, "form-action 'self'", "connect-src 'self'", "font-src 'self'"]))
    const scripts = policy
      ?.find((directive) => directive.startsWith('script-src'))
      ?.split(' ')
      .slice(1)
    expect(scripts?.filter((source) => !/^'(?:self|sha256-[\w+/]+=*)'$/.test(source))).toEqual([])
  })

  test('is compressed as the client accepts, with the same content', async () => {
    const user = await app.signIn('reader')
    const read = async (encoding: string) => {
      const reply = await user.fetch('/api/users/tokens/availableLanguages', { headers: { 'accept-encoding': encoding } })
      return { encoding: reply.headers.get('content-encoding'), vary: reply.headers.get('vary'), text: await reply.text() }
    }
    const plain = await read('identity')
    expect(plain.encoding).toBeNull()
    for (const encoding of ['br', 'gzip']) {
      expect(await read(encoding)).toEqual({ encoding, vary: expect.stringMatching(/accept-encoding/i), text: plain.text })
    }
  })

  test('has strict-transport-security over HTTPS', async () => {
    const secure = await startApp({ PUBLIC_URL: 'https://panel.example' })
    expect((await secure.anonymous.fetch('/api/about')).headers.get('strict-transport-security')).toContain('max-age=63072000')
  })
})

test('the panel shows version 1.3, and programs see the release with its build', async () => {
  const own = await startApp()
  const read = async (path: string): Promise<unknown> => (await own.anonymous.fetch(path)).json()
  expect(RELEASE).toMatch(/^1\.3\.\d+(\+[\dA-Za-z.-]+)?$/)
  expect(await read('/api/about')).toMatchObject({ data: { version: '1.3', release: RELEASE } })
  expect(await read('/api/openapi.json')).toMatchObject({ info: { version: RELEASE } })
})

describe('malformed HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['no Host', 'GET /api/about HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an expectation', 'GET /api/about HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n', 417],
    ['headers of 100 kB', `GET /api/about HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST /api/auth/logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST /api/auth/logout HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('%s is rejected with the error envelope', async (_what, text, status) => {
    const answer = await send(text)
    expect(statusOf(answer)).toBe(status)
    expect(bodyOf(answer)).toMatchObject({ statusCode: status, isBusiness: false })
  })
})

describe('with the local identity provider', () => {
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])('rejects requests for the name %s', async (name) => {
    const answer = await send(`GET /api/auth/discord HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
    expect(statusOf(answer)).toBe(403)
  })

  // The proxy in compose.yaml uses the node's name in that network.
  test('answers only health probes under any other name', async () => {
    const statusFor = async (call: string) => statusOf(await send(`${call} HTTP/1.1\r\nHost: app1:3000\r\nConnection: close\r\n\r\n`))
    for (const call of ['GET /healthz', 'GET /readyz', 'HEAD /readyz']) expect([call, await statusFor(call)]).toEqual([call, 200])
    for (const call of ['GET /', 'GET /metrics', 'GET /healthz/x', 'GET /readyz/', 'GET /readyz/../api/about', 'POST /readyz'])
      expect([call, await statusFor(call)]).toEqual([call, 403])
  })

  test.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'panel.localhost'])('accepts %s as a name of this machine', async (name) => {
    expect(statusOf(await send(`GET /api/about HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`))).toBe(200)
  })
})

describe('query parameters', () => {
  // A webhook that is not configured is 404, whatever the query.
  const panelEndpoints = (endpoints as readonly Endpoint[]).filter((endpoint) => !isOnMasterList(endpoint) && endpoint.accepts !== 'signed')

  test.each(panelEndpoints.map(({ route }) => route))('%s rejects an unknown parameter by name, without side effects', async (route) => {
    const admin = await app.signIn('admin')
    const { method, path } = parseRoute(route)
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    const answer = await admin.fetch(`${url}?colour=red`, { method, signal: AbortSignal.timeout(5000) })
    const { errors } = (await answer.json()) as { errors: string[] }
    expect([answer.status, errors]).toEqual([400, [expect.stringMatching(/^Unknown (?:query parameter|field) “colour”/)]])
    expect((await admin.fetch('/api/auth/me')).status).toBe(200)
  })

  test('each unknown parameter is named, long names are shortened, and an empty query is accepted', async () => {
    const answer = await app.anonymous.fetch(`/api/about?a=1&b[0]=2&b[1]=3&${'x'.repeat(100)}=4`)
    const { errors } = (await answer.json()) as { errors: string[] }
    expect([answer.status, errors]).toEqual([
      400,
      ['a', 'b', `${'x'.repeat(40)}…`].map((name) => `Unknown query parameter “${name}”. This call takes none.`),
    ])
    expect((await app.anonymous.fetch('/api/about?')).status).toBe(200)
  })

  test('access is checked first, and routes outside the contract accept any parameter', async () => {
    expect((await app.anonymous.fetch('/api/auth/me?colour=red')).status).toBe(403)
    for (const path of ['/healthz', '/readyz', '/api/openapi.json']) {
      expect([path, (await app.anonymous.fetch(`${path}?colour=red`)).status]).toEqual([path, 200])
    }
  })
})

describe('API calls', () => {
  test('a signed-out visitor with a malformed body gets 403', async () => {
    const answer = await app.anonymous.fetch('/api/users/tokens', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(403)
  })

  test('a body that is not UTF-8 gets 400 with a sentence and changes nothing, and a byte order mark is ignored', async () => {
    const owner = await app.signIn('encodings')
    const { public_id: id } = await buildServer(owner)
    const describe = (body: string, encoding: 'utf8' | 'latin1') =>
      owner.fetch(`/api/users/tokens/${id}`, {
        method: 'PATCH',
        body: Buffer.from(body, encoding),
        headers: { 'content-type': 'application/json' },
      })
    const rejected = await describe('{"description":"Größe"}', 'latin1')
    expect([rejected.status, await rejected.json()]).toEqual([
      400,
      { statusCode: 400, errors: ['The body contains bytes that are not UTF-8. Send JSON in UTF-8.'], isBusiness: false },
    ])
    expect((await owner.call(servers.get, { params: { id } })).data.description).toBe('')
    expect((await describe('\uFEFF{"description":"Größe"}', 'utf8')).status).toBe(200)
    expect((await owner.call(servers.get, { params: { id } })).data.description).toBe('Größe')
  })

  test('a call without a body schema rejects fields, and accepts an empty body or object', async () => {
    const owner = await app.signIn('bodies')
    const { public_id: id } = await buildServer(owner)
    const reset = (body: string) =>
      owner.fetch(`/api/users/tokens/${id}/reset-ip`, { method: 'PATCH', body, headers: { 'content-type': 'application/json' } })
    expect((await reset('{"bogus":1}')).status).toBe(400)
    expect((await reset('{}')).status).toBe(200)
    expect((await reset('')).status).toBe(200)
  })

  test('HEAD of the event stream gets 404 and does not hang', async () => {
    const owner = await app.signIn('heads')
    const answer = await owner.fetch('/api/users/tokens/events', { method: 'HEAD', signal: AbortSignal.timeout(3000) })
    expect(answer.status).toBe(404)
  })

  test('the event stream ends with the session', async () => {
    const owner = await app.signIn('streams')
    const stream = await owner.fetch(live.events.route.split(' ')[1] ?? '', { signal: AbortSignal.timeout(5000) })
    expect(stream.status).toBe(200)
    await owner.fetch('/api/auth/logout', { method: 'POST' })
    expect(await stream.text()).toContain('retry:')
  })

  test('the event stream reports a changed and a deleted server', async () => {
    const owner = await app.signIn('watcher')
    const stranger = await app.signIn('other')
    const stream = await owner.fetch('/api/users/tokens/events')
    const { public_id: id, name } = await buildServer(owner)
    const theirs = await buildServer(stranger)
    await owner.call(servers.change, { params: { id }, body: { description: 'Changed just now' } })
    await sleep(1200)
    await owner.call(servers.remove, { params: { id } })
    const text = await readUntil(stream, '"server":null')
    await stream.body?.cancel()
    expect(text).toContain(`"public_id":"${id}"`)
    expect(text).toContain(name)
    expect(text).toContain('Changed just now')
    expect(text).not.toContain(stranger.id)
    expect(text).not.toContain(theirs.public_id)
  })
})

async function readUntil(response: Response, marker: string): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array)
    if (text.includes(marker)) return text
  }
  return text
}

test('unused connections do not delay a shutdown', async () => {
  const own = await startApp()
  const sockets = [own.panelUrl, own.listUrl].map((url) => connect(Number(new URL(url).port), '127.0.0.1'))
  const ended = sockets.map((socket) => once(socket, 'close'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  await own.close()
  expect(await Promise.all(ended)).toHaveLength(2)
})
