/** Several processes that announce with one credential. */
import { describe, expect, test } from 'vitest'
import { addressOf, announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import { isShared, noteOtherPort, otherPortsOf } from './processes.ts'
import { Registry } from './registry.ts'

const TTL = 75_000

const at = (uptime: number) => ({ uptime, now: 1_800_000_000_000 + uptime })

/** A server whose entry is at port 7777. */
function onlineServer(credential = credentialOf('a')) {
  const registry = new Registry(TTL)
  const server = registry.apply(fieldsOf('a'), [credential], at(0))
  const announce = (port: number, uptime: number, using = credential) =>
    registry.announce(server, using, { ...announced, port }, addressOf('a'), at(uptime))
  announce(7777, 0)
  return { registry, server, announce }
}

describe('on a node that receives none of the announces', () => {
  test('a credential counts as shared until the other process is silent for the time to live', () => {
    const { registry, server } = onlineServer()
    noteOtherPort(server, 7789, at(1000), TTL)
    const seen = (uptime: number) => [
      isShared(server, uptime, TTL),
      otherPortsOf(server, uptime, TTL),
      registry.otherPortOf(server, at(uptime)),
    ]
    expect(seen(1000 + TTL - 1)).toEqual([true, [7789], 7789])
    expect(seen(1000 + TTL)).toEqual([false, [], undefined])
  })

  test('ports of processes that are silent for the time to live are forgotten with the next one', () => {
    const { server } = onlineServer()
    for (let port = 8000; port < 9000; port += 1) noteOtherPort(server, port, at(port), TTL)
    noteOtherPort(server, 7789, at(9000 + TTL), TTL)
    expect([...(server.others?.ports.keys() ?? [])]).toEqual([7789])
  })

  test('ports of earlier states are forgotten, too', () => {
    const { registry, server } = onlineServer()
    for (let restart = 1; restart <= 100; restart += 1) {
      const moment = at(restart * TTL)
      const { address, otherAddress, endpointSince, online, endedBy, since, credentialId } = server
      const state = { announced: { ...announced, port: 8000 + restart }, address, otherAddress, endpointSince, online, endedBy, since }
      registry.mergeRemote(server, { ...state, credentialId, lastAnnounceAt: moment.now, changedAt: moment.now }, moment)
    }
    expect([...(server.others?.ports.keys() ?? [])]).toEqual([8099])
  })
})

describe('when the process of the entry ends', () => {
  /** The entry announces with a new credential, and another process with the old one. */
  function sharedServer() {
    const [old, current] = [credentialOf('a'), credentialOf('a', { id: 'new', issuedAt: 1 })]
    const { registry, server, announce } = onlineServer(old)
    for (const [round, port] of [7789, 7777, 7789].entries()) announce(port, 1000 * (round + 1))
    registry.apply(fieldsOf('a'), [current, { ...old, graceUntil: at(500_000).now }], at(3000))
    announce(7777, 4000, current)
    return { registry, server, current }
  }

  test('another one takes over', () => {
    const { registry, server, announce } = onlineServer()
    for (const [round, port] of [7789, 7777, 7789].entries()) announce(port, 1000 * (round + 1))
    expect([registry.handOver(server, at(5000)), server.announced?.port]).toEqual([true, 7789])
  })

  test('another one with an old credential does not take over', () => {
    const { registry, server } = sharedServer()
    expect([registry.handOver(server, at(5000)), server.announced?.port, server.credentialId]).toEqual([false, 7777, 'new'])
  })

  test('another one with a revoked credential does not take over', () => {
    const { registry, server, current } = sharedServer()
    registry.apply(fieldsOf('a'), [current], at(4500))
    expect([registry.handOver(server, at(5000)), server.announced?.port, server.credentialId]).toEqual([false, 7777, 'new'])
  })
})
