/** Which of several servers at one endpoint is listed. */
import { describe, expect, test } from 'vitest'
import { announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import type { LiveState } from './live-state.ts'
import { Registry } from './registry.ts'
import type { AnnouncedState, Bindings, ServerRecord } from './server-record.ts'

const TTL = 75_000
const [V4, OTHER_V4] = ['198.51.100.7', '198.51.100.8']
const [V6, SAME_64, OTHER_V6] = ['2001:db8:1:2::1', '2001:db8:1:2:aaaa::9', '2001:db8:1:3::1']

const at = (uptime: number) => ({ uptime, now: 1_800_000_000_000 + uptime })

function addServer(registry: Registry, id: string, bound: Bindings = { ipv4: V4 }) {
  const credential = credentialOf(id, { bound })
  const server = registry.apply(fieldsOf(id), [credential], at(0))
  const announce = (address: string, uptime: number, state: Partial<AnnouncedState> = {}) =>
    registry.announce(server, credential, { ...announced, ...state }, address, at(uptime))
  return { server, credential, announce }
}

const listedOf = (...servers: readonly ServerRecord[]) => servers.filter(({ isListed }) => isListed).map(({ publicId }) => publicId)

/** A state as another node reads it from the database. */
function savedState({ announced: state, ...server }: ServerRecord): LiveState {
  if (state === undefined) throw new Error('It has never announced.')
  const { address, otherAddress, endpointSince, online, endedBy, since, lastAnnounceAt, changedAt, credentialId } = server
  return { announced: state, address, otherAddress, endpointSince, online, endedBy, since, lastAnnounceAt, changedAt, credentialId }
}

describe('the server that was there first', () => {
  /** Two servers that claim one IPv4 endpoint. */
  function twoServers() {
    const registry = new Registry(TTL)
    const [first, second] = [addServer(registry, 'first', { ipv4: V4, ipv6: V6 }), addServer(registry, 'second')]
    first.announce(V4, 0)
    second.announce(V4, 1000)
    return { registry, first, second, listed: () => listedOf(first.server, second.server) }
  }

  test('stays listed when it announces over IPv6, too', () => {
    const { first, listed } = twoServers()
    first.announce(V6, 2000)
    expect([first.server.otherAddress, listed()]).toEqual([V6, ['first']])
  })

  test('stays listed when its IPv6 address changes within the /64', () => {
    const { first, listed } = twoServers()
    first.announce(V6, 2000)
    first.announce(SAME_64, 3000)
    expect([first.server.otherAddress, listed()]).toEqual([SAME_64, ['first']])
  })

  test('comes last when its IPv6 address is replaced by one of another /64', () => {
    const { first, listed } = twoServers()
    first.announce(V6, 2000)
    first.credential.bound = { ipv4: V4, ipv6: OTHER_V6 }
    first.announce(OTHER_V6, 3000)
    expect([first.server.otherAddress, listed()]).toEqual([OTHER_V6, ['second']])
  })

  test('comes last when it was offline', () => {
    const { registry, first, listed } = twoServers()
    registry.takeOffline(first.server, 'LEFT', at(2000))
    first.announce(V4, 3000)
    expect(listed()).toEqual(['second'])
  })

  test('does not displace another one at an IPv4 address that it moves to', () => {
    const { registry, first } = twoServers()
    const third = addServer(registry, 'third', { ipv4: OTHER_V4 })
    third.announce(OTHER_V4, 2000)
    first.announce(V6, 3000)
    first.credential.bound = { ipv4: OTHER_V4, ipv6: V6 }
    first.announce(OTHER_V4, 4000)
    expect(listedOf(first.server, third.server)).toEqual(['third'])
  })

  test('does not displace another one when no address is the same', () => {
    const { registry, first } = twoServers()
    const third = addServer(registry, 'third', { ipv6: SAME_64 })
    third.announce(SAME_64, 2000)
    first.credential.bound = { ipv6: V6 }
    first.announce(SAME_64, 3000)
    expect(first.server).toMatchObject({ address: SAME_64, otherAddress: '' })
    expect(listedOf(first.server, third.server)).toEqual(['third'])
  })

  test('is the same on a node that reads its goodbye and its next announce as one state', () => {
    const { registry, first, second, listed } = twoServers()
    const other = new Registry(TTL)
    const [firstThere, secondThere] = [addServer(other, 'first').server, addServer(other, 'second').server]
    const merge = (uptime: number) => {
      other.mergeRemote(firstThere, savedState(first.server), at(uptime))
      other.mergeRemote(secondThere, savedState(second.server), at(uptime))
    }
    merge(1500)
    expect(listedOf(firstThere, secondThere)).toEqual(['first'])
    registry.takeOffline(first.server, 'LEFT', at(2000))
    first.announce(V4, 2100)
    merge(2500)
    expect([listed(), listedOf(firstThere, secondThere)]).toEqual([['second'], ['second']])
  })
})

test('a server in a private network is listed with the URL of its CDN where private addresses are rejected', () => {
  const registry = new Registry(TTL, true)
  const { server, announce } = addServer(registry, 'a', { ipv4: '172.17.0.1' })
  const cdnUrl = 'https://cdn.example.com/x'
  announce('172.17.0.1', 0)
  expect([server.isListed, server.withheld]).toEqual([false, 'PRIVATE_ADDRESS'])
  announce('172.17.0.1', 1000, { useCdn: true, cdnUrl })
  expect([server.isListed, server.withheld]).toEqual([true, ''])
  announce('172.17.0.1', 2000, { cdnUrl })
  expect([server.isListed, server.withheld]).toEqual([false, 'PRIVATE_ADDRESS'])
})
