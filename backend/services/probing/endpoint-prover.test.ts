/** Endpoints that servers name: proven, listed, proven again, and no longer. */
import { describe, expect, test } from 'vitest'
import type { ResolveWithTtl } from '#backend/platform/outbound/resolver.ts'
import { buildServer } from '#tests/factories.ts'
import { listenTcp, listenUdp } from '#tests/game-endpoint.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'

const PRIVATE = { REACHABILITY_PRIVATE: 'on' }
const NAME = 'quiet-river.tunnel.example'

/** A name server with one name. */
function nameServer(...addresses: string[]) {
  const zone = { addresses }
  const resolveName: ResolveWithTtl = (host) =>
    Promise.resolve({ addresses: host === NAME ? zone.addresses : [], ttlSeconds: 30, isPartial: false, isInconclusive: false })
  return { zone, resolveName }
}

/** Advances the clock until a condition holds. @param stepMs milliseconds at a time. */
async function advanceUntil(app: TestApp, holds: () => Promise<boolean>, stepMs = 5000, steps = 60): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    if (await holds()) return
    app.clock.advance(stepMs)
    await new Promise((resolve) => {
      setTimeout(resolve, 60)
    })
  }
  expect(await holds(), 'it never happened').toBe(true)
}

async function start(resolveName?: ResolveWithTtl) {
  const app = await startApp(PRIVATE, resolveName && { resolveName })
  const owner = await fleetOwner(app)
  const server = await buildServer(owner)
  const announce = (body: Record<string, unknown>) => announceFrom(app, server.credential, body)
  const row = () => readOne(app, server.public_id)
  const noticesOf = async (body: Record<string, unknown>) => (await announce(body)).reply.notices.map(({ code }) => code)
  return { app, owner, server, announce, row, noticesOf }
}

describe.each(['tcp', 'udp'] as const)('over %s', (probe) => {
  const listen = (settings: Parameters<typeof listenTcp>[0], endpoint?: string) =>
    probe === 'tcp' ? listenTcp(settings) : listenUdp(settings, endpoint)

  test('a name is listed once every address of it is proven, and falls back to the source address after three failures', async () => {
    const names = nameServer('127.0.0.5')
    const { app, server, announce, row, noticesOf } = await start(names.resolveName)
    const { credential, public_id: publicId } = server
    const game = await listen({ at: '127.0.0.5', credential, publicId }, NAME)
    const body = { host: NAME, port: game.port, probe }
    expect(await noticesOf(body)).toEqual(['ENDPOINT_UNPROVEN'])
    expect(await row()).toMatchObject({ address: `127.0.0.1:${game.port}`, host: '' })
    await advanceUntil(app, async () => (await row()).host === NAME)
    const proven = { address: `${NAME}:${game.port}`, addresses: [`127.0.0.5:${game.port}`], host: NAME, port: game.port }
    expect(await row()).toMatchObject(proven)
    expect(await noticesOf(body)).toEqual([])
    await game.stop()
    const announceUntil = (holds: () => Promise<boolean>) =>
      advanceUntil(
        app,
        async () => {
          await announce(body)
          return holds()
        },
        31_000,
      )
    const failures = async () => (await app.db.selectFrom('endpoint_proofs').select('failed_at').executeTakeFirstOrThrow()).failed_at
    await announceUntil(async () => (await failures()) !== null)
    expect(await row(), 'one failure is not three').toMatchObject(proven)
    await announceUntil(async () => (await row()).host === '')
    expect(await row()).toMatchObject({ address: `127.0.0.1:${game.port}`, addresses: [`127.0.0.1:${game.port}`] })
    expect(await noticesOf(body)).toEqual(['ENDPOINT_UNPROVEN'])
    await listen({ at: '127.0.0.5', credential, publicId, port: game.port }, NAME)
    await announceUntil(async () => (await row()).host === NAME)
  })

  test('the endpoint of another server is never listed', async () => {
    const { app, announce, row } = await start()
    const other = await buildServer(await fleetOwner(app))
    const game = await listen({ at: '127.0.0.6', credential: other.credential, publicId: other.public_id })
    const body = { host: '127.0.0.6', port: game.port, probe }
    await advanceUntil(
      app,
      async () => {
        await announce(body)
        const found = await app.db.selectFrom('endpoint_proofs').select('failure').executeTakeFirst()
        return found?.failure === 'WRONG_ANSWER'
      },
      31_000,
      200,
    )
    expect((await row()).address).toBe(`127.0.0.1:${game.port}`)
  })
})

test('a name that moves is listed at its new address, once that answers', async () => {
  const names = nameServer('127.0.0.5')
  const { app, server, announce, row } = await start(names.resolveName)
  const { credential } = server
  const first = await listenUdp({ at: '127.0.0.5', credential }, NAME)
  await listenUdp({ at: '127.0.0.7', credential, port: first.port }, NAME)
  await announce({ host: NAME, port: first.port, probe: 'udp' })
  await advanceUntil(app, async () => (await row()).host === NAME)
  names.zone.addresses = ['127.0.0.7']
  await advanceUntil(app, async () => (await row()).addresses[0] === `127.0.0.7:${first.port}`)
  expect((await row()).address).toBe(`${NAME}:${first.port}`)
})

test('a proof outlives a restart', async () => {
  const names = nameServer('127.0.0.5')
  const { app, server, announce, row } = await start(names.resolveName)
  const game = await listenUdp({ at: '127.0.0.5', credential: server.credential }, NAME)
  await announce({ host: NAME, port: game.port, probe: 'udp' })
  await advanceUntil(app, async () => (await row()).host === NAME)
  await game.stop()
  await app.restart()
  expect((await row()).host).toBe(NAME)
})

test('a proof does not outlive an absence of more than an hour, because the endpoint may be another server’s by now', async () => {
  const { app, server, announce, row } = await start(nameServer('127.0.0.5').resolveName)
  const game = await listenUdp({ at: '127.0.0.5', credential: server.credential }, NAME)
  const body = { host: NAME, port: game.port, probe: 'udp' }
  const leave = async () => {
    await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${server.credential}` } })
    // A later change is visible, so the prover knows of this one.
    const { credential, public_id: later } = await buildServer(await fleetOwner(app))
    await announceFrom(app, credential)
    await expect.poll(async () => (await readList(app)).some(({ publicId }) => publicId === later)).toBe(true)
  }
  await announce(body)
  await advanceUntil(app, async () => (await row()).host === NAME)
  await leave()
  app.clock.advance(50 * 60_000)
  await announce(body)
  expect((await row()).host, 'within an hour').toBe(NAME)
  await leave()
  await game.stop()
  app.clock.advance(61 * 60_000)
  await announce(body)
  await expect.poll(async () => (await row()).host).toBe('')
})

test('a name is looked up at most once in 30 seconds, however often its server changes how it can be asked', async () => {
  let lookups = 0
  const { resolveName } = nameServer('127.0.0.5')
  const { app, announce } = await start((host, signal) => {
    lookups += 1
    return resolveName(host, signal)
  })
  for (let round = 0; round < 40; round += 1) {
    await announce({ host: NAME, port: 7788, probe: round % 2 === 0 ? 'tcp' : 'udp' })
    app.clock.advance(5000)
    await new Promise((resolve) => {
      setTimeout(resolve, 60)
    })
  }
  expect(lookups).toBeGreaterThan(2)
  expect(lookups).toBeLessThanOrEqual(7)
})

test('a server whose probe is none is asked nowhere, and its host counts for nothing', async () => {
  const names = nameServer('127.0.0.5')
  const { app, server, noticesOf, row } = await start(names.resolveName)
  const game = await listenUdp({ at: '127.0.0.5', credential: server.credential }, NAME)
  for (let round = 0; round < 3; round += 1) {
    expect(await noticesOf({ host: NAME, port: game.port, probe: 'none' })).toEqual(['ENDPOINT_UNPROVEN'])
    app.clock.advance(31_000)
  }
  expect([game.questions, (await row()).host]).toEqual([0, ''])
})

test('a proof ends at once when the server says that it cannot be asked', async () => {
  const names = nameServer('127.0.0.5')
  const { app, server, announce, noticesOf, row } = await start(names.resolveName)
  const game = await listenUdp({ at: '127.0.0.5', credential: server.credential }, NAME)
  await announce({ host: NAME, port: game.port, probe: 'udp' })
  await advanceUntil(app, async () => (await row()).host === NAME)
  expect(await noticesOf({ host: NAME, port: game.port, probe: 'none' })).toEqual(['ENDPOINT_UNPROVEN'])
  expect((await row()).host).toBe('')
})

test('neither leaving, nor another way to ask, nor a silent name server keeps a proof alive', async () => {
  const names = nameServer('127.0.0.5')
  let isSilent = false
  const { app, server, announce, row } = await start(async (host, signal) => {
    const found = await names.resolveName(host, signal)
    return isSilent ? { ...found, addresses: [], isPartial: true, isInconclusive: true } : found
  })
  const game = await listenUdp({ at: '127.0.0.5', credential: server.credential }, NAME)
  const body = { host: NAME, port: game.port }
  await announce({ ...body, probe: 'udp' })
  await advanceUntil(app, async () => (await row()).host === NAME)
  await game.stop()
  isSilent = true
  let round = 0
  const restart = async () => {
    const headers = { authorization: `Bearer ${server.credential}` }
    await send(`${app.listUrl}/announce`, { method: 'DELETE', headers })
    round += 1
    await announce({ ...body, probe: round % 2 === 0 ? 'udp' : 'tcp' })
    return (await row()).host === ''
  }
  await advanceUntil(app, restart, 31_000, 40)
  expect((await row()).address).toBe(`127.0.0.1:${game.port}`)
})
