/** What the announcer says of its endpoint: the host, and how the list can probe it. */
import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accepted, seconds, start, started } from './testing/list-function.ts'
import type { AnnounceOptions } from './types.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()))
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const bodyOf = async (options: Partial<AnnounceOptions>) => {
  const { calls } = start(() => accepted(), options)
  await seconds(1)
  return calls[0]?.body ?? {}
}

test.each(['play.example.com', 'Play.Example.COM', '203.0.113.7', '2001:db8::7'])(
  'the host %s is announced as it is given',
  async (host) => {
    expect(await bodyOf({ host, probe: 'udp' })).toMatchObject({ port: 7788, host, probe: 'udp' })
  },
)

test('an empty host and probe are not announced', async () => {
  for (const options of [{}, { host: '', probe: '' as const }]) expect(Object.keys(await bodyOf(options))).not.toContain('host')
  expect(Object.keys(await bodyOf({ probe: '' }))).not.toContain('probe')
})

test('both come from the environment, and an option goes first', async () => {
  vi.stubEnv('MUSTER_HOST', ' env.example.com\n')
  vi.stubEnv('MUSTER_PROBE', 'none')
  expect(await bodyOf({})).toMatchObject({ host: 'env.example.com', probe: 'none' })
  expect(await bodyOf({ host: 'option.example.com', probe: 'tcp' })).toMatchObject({ host: 'option.example.com', probe: 'tcp' })
})

test.each<[options: object, message: string]>([
  [{ host: 'play.example.com:7788' }, 'host must be a name or an IP address, without a port. The port goes to PORT.'],
  [{ host: 'https://play.example.com' }, 'host must be a name or an IP address, without a port. The port goes to PORT.'],
  [{ host: '[2001:db8::7]' }, 'host must be a name or an IP address, without a port. The port goes to PORT.'],
  [{ host: 'play.example.com/x' }, 'host must be a name or an IP address, without a port. The port goes to PORT.'],
  [{ host: 7 }, 'host must be a text of 0 to 255 characters.'],
  [{ probe: 'icmp' }, 'probe must be tcp, udp or none.'],
  [{ probe: 'TCP' }, 'probe must be tcp, udp or none.'],
])('%j is not announced, and an event says why', async (options, message) => {
  const { calls, events } = start(() => accepted(), options)
  await seconds(1)
  expect(Object.keys(calls[0]?.body ?? {})).not.toContain(Object.keys(options)[0])
  expect(events[0]).toEqual(['rejected', expect.objectContaining({ code: 'BODY_INVALID', message })])
})

test('neither can change while the server runs', async () => {
  const { server, calls } = start(() => accepted(), { host: 'play.example.com' })
  await seconds(5)
  server.update({ host: 'other.example.com', probe: 'none', players: 2 } as object)
  await seconds(5)
  expect(calls.at(-1)?.body).toMatchObject({ host: 'play.example.com', playersCount: 2 })
  expect(calls.at(-1)?.body).not.toHaveProperty('probe')
})

test('a TCP probe of a named host is answered if the list signed it for that name, and no other', async () => {
  const { server } = start(() => accepted(), { host: 'play.example.com', probe: 'tcp' })
  await seconds(1)
  const tokenFor = (host: string, credential = 'mst_x') => {
    const key = createHash('sha256').update(credential).digest()
    const payload = 'abcdefg.1795302060.Zk3v0W1yQm2pLs8d'
    return `${payload}.${createHmac('sha256', key).update(`${payload}.${host}`).digest('base64url')}`
  }
  const ask = (token: string, host: string) => server.probeAnswer(`/.well-known/muster/${token}`, host)
  for (const host of ['play.example.com:7788', '203.0.113.7:7788', '[2001:db8::7]:7788'])
    expect(await ask(tokenFor(host), host)).toBe(tokenFor(host))
  expect(await ask(tokenFor('other.example.com:7788'), 'play.example.com:7788')).toBeUndefined()
  expect(await ask(tokenFor('play.example.com:7788', 'mst_foreign'), 'play.example.com:7788')).toBeUndefined()
})
