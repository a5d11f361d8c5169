/** The registry: expiry, merged states of other nodes, and the order of the list. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangeLog } from './change-log.ts'
import { addressOf, announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import { Registry } from './registry.ts'

const TTL = 75_000

const at = (uptime: number) => ({ uptime, now: 1_800_000_000_000 + uptime })

test('a server goes offline within 250 ms after its TTL, for any pattern of announces', () => {
  const step = fc.record({ server: fc.nat(4), wait: fc.oneof(fc.nat(1000), fc.nat(60_000), fc.nat(200_000)), expires: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const registry = new Registry(TTL)
      const servers = Array.from({ length: 5 }, (_, index) => registry.apply(fieldsOf(`s${index}`), [credentialOf(`s${index}`)], at(0)))
      const last = new Map<string, number>()
      let uptime = 0
      for (const { server: index, wait, expires } of steps) {
        uptime += wait
        if (expires) registry.expire(at(uptime))
        const server = servers[index]
        if (server === undefined) continue
        registry.announce(server, credentialOf(server.publicId), announced, addressOf(server.publicId), at(uptime))
        last.set(server.publicId, uptime)
        registry.expire(at(uptime))
        for (const other of servers) {
          const age = uptime - (last.get(other.publicId) ?? -Infinity)
          const allowed = age < TTL ? [true] : age >= TTL + 250 ? [false] : [true, false]
          expect(allowed, `${age} ms after its last announce`).toContain(other.online)
        }
      }
      expect(registry.onlineCount).toBe(servers.filter((server) => server.online).length)
    }),
  )
})

test('a remote state with a revoked credential takes the server offline at once, and is saved', () => {
  const registry = new Registry(TTL)
  const server = registry.apply(fieldsOf('a'), [credentialOf('a', { id: 'new' })], at(0))
  const { now } = at(1000)
  const state = {
    announced,
    address: '1.2.3.4',
    otherAddress: '',
    endpointSince: 0,
    online: true,
    endedBy: '' as const,
    since: now,
    lastAnnounceAt: now,
    changedAt: now,
  }
  expect(registry.mergeRemote(server, { ...state, credentialId: 'old' }, at(5000))).toBe(true)
  expect([server.online, server.endedBy, server.since, server.changedAt]).toEqual([false, 'REISSUED', at(5000).now, at(5000).now])
  expect([...registry.unsaved]).toEqual([server])
  registry.unsaved.clear()
})

test('a server that leaves on another node is reported as more than a change of counts', () => {
  const registry = new Registry(TTL)
  const server = registry.apply(fieldsOf('a'), [credentialOf('a')], at(0))
  const changes: (boolean | undefined)[] = []
  registry.onChange = (_, isCountsOnly) => changes.push(isCountsOnly)
  const merge = (uptime: number, players: number, online: boolean) => {
    const { now } = at(uptime)
    const state = {
      announced: { ...announced, playersCount: players },
      address: '1.2.3.4',
      otherAddress: '',
      endpointSince: 0,
      online,
      endedBy: online ? '' : 'LEFT',
    } as const
    return registry.mergeRemote(server, { ...state, since: now, lastAnnounceAt: now, changedAt: now, credentialId: 'c-a' }, at(uptime))
  }
  expect([merge(1000, 1, true), merge(2000, 2, true), merge(3000, 2, false)]).toEqual([true, true, true])
  expect(changes).toEqual([false, true, false])
})

test('an announce that repeats the last one publishes and saves nothing', () => {
  const registry = new Registry(TTL)
  const credential = credentialOf('a')
  const server = registry.apply(fieldsOf('a'), [credential], at(0))
  expect(registry.announce(server, credential, announced, '1.2.3.4', at(10))).toBe('added')
  expect([...registry.unsaved]).toEqual([server])
  registry.unsaved.clear()
  const published: string[] = []
  registry.onListChange = (_, change) => published.push(change)
  expect(registry.announce(server, credential, { ...announced }, '1.2.3.4', at(20))).toBe('refreshed')
  expect([published, registry.unsaved.size, server.changedAt]).toEqual([[], 0, at(10).now])
  expect(registry.announce(server, credential, { ...announced, playersCount: 2 }, '1.2.3.4', at(30))).toBe('changed')
  expect([published, registry.unsaved.size, server.changedAt]).toEqual([['players'], 1, at(30).now])
  expect([...registry.unsaved]).toEqual([server])
  registry.unsaved.clear()
})

test('the list is sorted by promotion, players, name and public ID', () => {
  const anyServer = fc.record({
    name: fc.constantFrom('a', 'b', 'C', 'ä'),
    players: fc.constantFrom(0, 1, 5, 4096),
    promoted: fc.boolean(),
    visible: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(anyServer, { maxLength: 30 }), (list) => {
      const registry = new Registry(TTL)
      const log = new ChangeLog()
      registry.onListChange = (server, change) => log.enqueue(server, change)
      list.forEach(({ name, players, promoted, visible }, index) => {
        const publicId = `id${String((index * 7) % 100).padStart(2, '0')}`
        const server = registry.apply(fieldsOf(publicId, { name, promoted, visible }), [credentialOf(publicId)], at(0))
        registry.announce(server, credentialOf(publicId), { ...announced, playersCount: players }, addressOf(publicId), at(0))
      })
      const expected = [...registry.all()]
        .filter((server) => server.isListed)
        .toSorted(
          (a, b) =>
            Number(b.fields.promoted) - Number(a.fields.promoted) ||
            (b.announced?.playersCount ?? 0) - (a.announced?.playersCount ?? 0) ||
            compare(a.fields.name, b.fields.name) ||
            compare(a.publicId, b.publicId),
        )
      log.commit(log.drain(), 0)
      expect(log.rows().map((row) => row.fields.publicId)).toEqual(expected.map((server) => server.publicId))
    }),
  )
})

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

test('a server with a replaced credential goes offline, and a deleted one is removed from every index', () => {
  const registry = new Registry(TTL)
  const server = registry.apply(fieldsOf('a', { vanityUrl: 'dallas' }), [credentialOf('a')], at(0))
  registry.announce(server, credentialOf('a'), announced, '1.2.3.4', at(0))
  registry.apply(fieldsOf('a', { vanityUrl: 'dallas' }), [credentialOf('a', { id: 'newer' })], at(5))
  expect([server.online, server.endedBy]).toEqual([false, 'REISSUED'])
  registry.remove('a', at(0))
  expect([registry.find('a'), registry.find('dallas'), registry.size, registry.onlineCount, registry.unsaved.size]).toEqual([
    undefined,
    undefined,
    0,
    0,
    0,
  ])
})
