/** What owners see of their server's endpoint, and a test of it, step by step. */
import { expect, test } from 'vitest'
import * as endpoint from '#contract/servers/endpoint.ts'
import type { ResolveWithTtl } from '#backend/platform/outbound/resolver.ts'
import { buildServer } from '#tests/factories.ts'
import { listenUdp } from '#tests/game-endpoint.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'
import { listen } from '#tests/listen.ts'

const NAME = 'quiet-river.tunnel.example'
const resolveName: ResolveWithTtl = (host) =>
  Promise.resolve({ addresses: host === NAME ? ['127.0.0.5'] : [], ttlSeconds: 30, isPartial: false, isInconclusive: false })

async function start() {
  const app = await startApp({ REACHABILITY_PRIVATE: 'on' }, { resolveName })
  const owner = await fleetOwner(app)
  const { credential, public_id: id } = await buildServer(owner)
  const stream = await listen(owner)
  const params = { id }
  const steps = async () => {
    stream.received.length = 0
    expect((await owner.call(endpoint.test, { params })).status).toBe(204)
    await stream.until(({ event, data }) => event === 'endpoint_test' && data['step'] === 'done')
    return stream.received.filter(({ event }) => event === 'endpoint_test').map(({ data }) => data)
  }
  const get = async () => (await owner.call(endpoint.get, { params })).data
  return { app, credential, steps, get, announce: (body: Record<string, unknown>) => announceFrom(app, credential, body) }
}

test('a test resolves, asks and shows the answer, and its result counts', async () => {
  const { credential, announce, steps, get } = await start()
  const game = await listenUdp({ at: '127.0.0.5', credential }, NAME)
  expect(await get()).toBeNull()
  await announce({ host: NAME, port: game.port, probe: 'udp' })
  expect(await get()).toMatchObject({ state: 'unproven', host: NAME, sources: ['127.0.0.1'], proven_at: null, failure: '' })
  expect(await steps()).toMatchObject([
    { step: 'resolve', addresses: ['127.0.0.5'], result: '' },
    { step: 'ask', address: '127.0.0.5' },
    { step: 'answer', address: '127.0.0.5', result: 'answered' },
    { step: 'done', result: 'answered' },
  ])
  expect(await get()).toMatchObject({
    state: 'proven',
    address: `${NAME}:${game.port}`,
    addresses: [`127.0.0.5:${game.port}`],
    proven_at: expect.any(String),
    failure: '',
  })
})

test('a test that fails says why, and one right after it waits', async () => {
  const { app, announce, steps, get } = await start()
  await announce({ host: 'nowhere.example', port: 4000, probe: 'tcp' })
  expect(await steps()).toMatchObject([
    { step: 'resolve', addresses: [], result: 'UNRESOLVED' },
    { step: 'done', result: 'UNRESOLVED' },
  ])
  expect(await get()).toMatchObject({ state: 'unproven', failure: 'UNRESOLVED', failed_at: expect.any(String) })
  app.clock.advance(29_000)
  const [wait] = await steps()
  expect(wait).toMatchObject({ step: 'wait', seconds: 1 })
})

test('a server that names no host is asked at its source address', async () => {
  const { credential, announce, steps, get } = await start()
  const game = await listenUdp({ at: '127.0.0.1', credential })
  await announce({ port: game.port, probe: 'udp' })
  expect((await steps()).at(-1)).toMatchObject({ step: 'done', result: 'answered' })
  expect(await get()).toMatchObject({ state: 'source' })
})

test('a server that is offline is not asked', async () => {
  const { steps } = await start()
  expect(await steps()).toMatchObject([{ step: 'done', result: 'inconclusive' }])
})
