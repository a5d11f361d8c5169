/** The guarded client connects to public addresses only. */
import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { CERTIFICATE, PUBLIC_ADDRESS, startHttpsHost, startTrap } from '#tests/https-host/https-host.ts'
import { startNameServer } from '#tests/https-host/name-server.ts'
import { createFetchPublic } from './guarded-client.ts'
import { createResolver } from './resolver.ts'
import { NOT_PUBLIC, REJECTED_URLS, TYPES, clientOf, errorOf } from '#tests/https-host/guarded-client.ts'

test('connects to no private address, however it is spelled', async () => {
  const trap = await startTrap()
  const connect = vi.spyOn(Socket.prototype, 'connect')
  // Every name resolves to this machine.
  const resolve = vi.fn(() => Promise.resolve(['127.0.0.1', '::1']))
  const fetchPublic = createFetchPublic({ resolve, port: trap.port, ca: CERTIFICATE, timeoutMs: 2000 })
  for (const [url, sentence] of REJECTED_URLS) expect(await errorOf(fetchPublic(url, TYPES)), url).toBe(sentence)
  expect(resolve).not.toHaveBeenCalled()
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(connect).not.toHaveBeenCalled()
  expect(trap.visits()).toBe(0)
  connect.mockRestore()
})

test('rejects a name with a private address among public ones, at any position', async () => {
  const trap = await startTrap()
  const port = await startHttpsHost((_request, response) => response.end())
  for (const addresses of [
    [PUBLIC_ADDRESS, '127.0.0.1'],
    ['127.0.0.1', PUBLIC_ADDRESS],
    [PUBLIC_ADDRESS, '::1'],
    [PUBLIC_ADDRESS, 'no address'],
  ]) {
    const connect = vi.spyOn(Socket.prototype, 'connect')
    expect(await errorOf(clientOf(port, { resolve: () => Promise.resolve(addresses) })('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
    expect(connect).not.toHaveBeenCalled()
    connect.mockRestore()
  }
  expect(trap.visits()).toBe(0)
})

test('resolves a name once, so that a second, private answer is never used', async () => {
  const trap = await startTrap(0, '127.0.0.1')
  // The same port: only the address differs.
  const port = await startHttpsHost(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{}'),
    PUBLIC_ADDRESS,
    trap.port,
  )
  const answers = [[PUBLIC_ADDRESS], ['127.0.0.1'], ['127.0.0.1']]
  const resolve = vi.fn(() => Promise.resolve(answers.shift() ?? []))
  const fetchPublic = clientOf(port, { resolve })
  expect((await fetchPublic('https://feeds.example/', TYPES)).body.toString()).toBe('{}')
  expect(resolve).toHaveBeenCalledTimes(1)
  // The next call checks again and reuses no open connection.
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(trap.visits()).toBe(0)
})

test('asks the name server once per call, and checks each answer', async () => {
  const trap = await startTrap(0, '127.0.0.1')
  const port = await startHttpsHost(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{}'),
    undefined,
    trap.port,
  )
  const answers = [PUBLIC_ADDRESS, '127.0.0.1', PUBLIC_ADDRESS]
  let current = answers.shift()
  const queries: string[] = []
  const nameServer = await startNameServer((host, kind) => {
    queries.push(`${host} ${kind}`)
    const addresses = current === undefined ? [] : [current]
    if (kind === 'ipv4') current = answers.shift()
    return kind === 'ipv4' ? addresses : []
  })
  const fetchPublic = clientOf(port, { resolve: createResolver([nameServer]) })
  expect((await fetchPublic('https://Feeds.Example/', TYPES)).body.toString()).toBe('{}')
  expect(queries.toSorted()).toEqual(['feeds.example ipv4', 'feeds.example ipv6'])
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe('nothing was rejected')
  expect(trap.visits()).toBe(0)
})

test('checks every address that a name server returns, IPv4 and IPv6', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect')
  const zone: Record<string, readonly string[]> = {
    'a.example': ['8.8.8.8', '10.0.0.1', '::1'],
    'b.example': ['8.8.8.8', '2606:4700::1111', '64:ff9b::a00:1'],
    'c.example': ['::ffff:127.0.0.1'],
    'd.example': ['2002:7f00:1::'],
    'e.example': ['8.8.8.8', 'fe80::1'],
  }
  const nameServer = await startNameServer((host, kind) => zone[host]?.filter((each) => each.includes(':') === (kind === 'ipv6')) ?? [])
  const fetchPublic = createFetchPublic({ resolve: createResolver([nameServer]) })
  for (const host of Object.keys(zone)) expect(await errorOf(fetchPublic(`https://${host}/`, TYPES)), host).toBe(NOT_PUBLIC)
  expect(await errorOf(fetchPublic('https://f.example/', TYPES))).toBe('There is no such host. Check the spelling of the address.')
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
})
