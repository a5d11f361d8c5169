/** What a name server says, or does not say, about a name. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { replyToQuery } from '#tests/https-host/dns-reply.ts'
import { closeAfterTest } from '#tests/running.ts'
import { type ResolveWithTtl, createResolverWithTtl } from './resolver.ts'

type Answer = readonly string[] | 'fails' | 'does not exist'

const RESPONSE_CODES = { fails: 2, 'does not exist': 3 } as const
const FOREVER = new AbortController().signal

/** What the name server says about each name. It never answers for any other. */
const ZONE: Readonly<Record<string, Readonly<Record<'ipv4' | 'ipv6', Answer>>>> = {
  'both.example': { ipv4: ['198.51.100.7', '198.51.100.8'], ipv6: ['2001:db8::7'] },
  'half.example': { ipv4: ['198.51.100.7'], ipv6: 'fails' },
  'ipv6.example': { ipv4: [], ipv6: ['2001:db8::7'] },
  'broken.example': { ipv4: 'fails', ipv6: 'fails' },
  'missing.example': { ipv4: 'does not exist', ipv6: 'does not exist' },
  'empty.example': { ipv4: [], ipv6: [] },
}

let resolve: ResolveWithTtl

beforeAll(async () => {
  const socket = createSocket('udp4', (query, client) => {
    let code = 0
    const reply = replyToQuery(
      query,
      (host, family) => {
        const answer = ZONE[host]?.[family]
        if (typeof answer !== 'string') return answer
        code = RESPONSE_CODES[answer]
        return []
      },
      60,
    )
    if (reply === undefined) return
    reply[3] = 0x80 | code
    socket.send(reply, client.port, client.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterTest(() => void socket.close())
  resolve = createResolverWithTtl([`127.0.0.1:${socket.address().port}`])
})

test.each([
  ['both.example', { addresses: ['198.51.100.7', '198.51.100.8', '2001:db8::7'], ttlSeconds: 60, isPartial: false, isInconclusive: false }],
  ['ipv6.example', { addresses: ['2001:db8::7'], isPartial: false, isInconclusive: false }],
  ['half.example', { addresses: ['198.51.100.7'], isPartial: true, isInconclusive: false }],
  ['broken.example', { addresses: [], isPartial: true, isInconclusive: false }],
  ['missing.example', { addresses: [], isPartial: false, isInconclusive: false }],
  ['empty.example', { addresses: [], isPartial: false, isInconclusive: false }],
])('%s has the addresses that the name server knows', async (host, expected) => {
  expect(await resolve(host, FOREVER)).toMatchObject(expected)
})

test('a name server that cannot be asked says nothing about the name', async () => {
  const nobody = createResolverWithTtl(['127.0.0.1:1'])
  expect(await nobody('both.example', FOREVER)).toMatchObject({ addresses: [], isInconclusive: true })
})

test('a cancelled query says nothing about the name', async () => {
  const cancel = new AbortController()
  const resolved = resolve('silent.example', cancel.signal)
  cancel.abort()
  expect(await resolved).toMatchObject({ addresses: [], isInconclusive: true })
})
