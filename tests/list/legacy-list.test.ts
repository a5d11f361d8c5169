/** Version 1 of the list's API: its fields and rejections, and clients in the wild that still use it. */
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { LegacyServer } from '#contract/masterlist/legacy-list.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { announceFrom, fleetOwner, readList, send } from './send.ts'

let app: TestApp
let owner: SignedInUser
let first: servers.ServerWithCredential
let cdn: servers.ServerWithCredential

const FIRST_ANNOUNCE = { port: 7788, playersCount: 30, maxPlayersCount: 128, queueCount: 2, useVoiceChat: true, passworded: true }
const CDN_ANNOUNCE = { port: 7789, useCdn: true, cdnUrl: 'https://cdn.sunset.example:8443/files' }

async function onlineServer(body: Record<string, unknown>, fields: Parameters<typeof buildServer>[1] = {}) {
  const server = await buildServer(owner, fields)
  expect((await announceFrom(app, server.credential, body)).status).toBe(200)
  return server
}

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
  first = await onlineServer(FIRST_ANNOUNCE, {
    website: 'sunset.example/play',
    description: 'Streets and jobs',
    language: 'de',
    tags: ['Roleplay'],
    game_mode: 'Roleplay',
  })
  cdn = await onlineServer(CDN_ANNOUNCE)
  await seedHistory(app, first.public_id, { days: 2, players: () => 20 })
  await vi.waitFor(async () => {
    expect(await readLegacyList()).toHaveLength(2)
  })
})

const get = (path: string, options: Parameters<typeof send>[1] = {}) => send(`${app.listUrl}${path}`, options)
const readLegacyList = async () => JSON.parse((await get('/servers/list')).text) as LegacyServer[]
const readServer = async (id: string) => JSON.parse((await get(`/server/${id}`)).text) as unknown

describe('version 1', () => {
  test('lists the servers of the list in its order, with exactly its own fields', async () => {
    const [row, ofCdn] = LegacyServer.strict()
      .array()
      .parse(await readLegacyList())
    expect((await readLegacyList()).map(({ id }) => id)).toEqual((await readList(app)).map(({ publicId }) => publicId))
    expect(row).toEqual({
      id: first.public_id,
      maxPlayers: 128,
      players: 30,
      name: first.name,
      locked: true,
      host: '127.0.0.1',
      port: FIRST_ANNOUNCE.port,
      gameMode: 'Roleplay',
      website: 'sunset.example/play',
      language: 'de',
      description: 'Streets and jobs',
      verified: false,
      promoted: false,
      useEarlyAuth: false,
      earlyAuthUrl: '',
      useCdn: false,
      cdnUrl: '',
      useVoiceChat: true,
      tags: ['Roleplay'],
      bannerUrl: null,
      branch: 'release',
      build: -1,
      version: '15.57',
      lastUpdate: Date.parse((await readList(app))[0]?.lastTimeUpdate ?? ''),
    })
    // Behind a CDN, the server's own address stays private, like on the list.
    expect(ofCdn).toMatchObject({ host: 'cdn.sunset.example', port: 7789, useCdn: true, cdnUrl: CDN_ANNOUNCE.cdnUrl })
    expect(await readServer(first.public_id)).toEqual({ active: true, info: row })
  })

  test.each(['/servers/list', '/servers/list?cache=1', '/servers/list/', '/server/ID', '/avg/ID/7d', '/max/ID/1d'])(
    '%s has an ETag, compression and CORS, and is read-only',
    async (template) => {
      const path = template.replace('ID', first.public_id)
      const plain = await get(path)
      expect([plain.status, plain.headers['access-control-allow-origin']]).toEqual([200, '*'])
      expect(plain.headers['content-type']).toMatch(/^application\/json/)
      const gzip = await get(path, { headers: { 'accept-encoding': 'gzip' } })
      expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text)
      const unchanged = await get(path, { headers: { 'if-none-match': plain.headers.etag ?? '' } })
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', plain.headers.etag])
      expect(await get(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect(await get(path, { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
      expect((await get(path, { method: 'OPTIONS' })).headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    },
  )

  test('rejects unknown servers and ranges', async () => {
    for (const path of ['/server/Nobody1', '/avg/Nobody1/1d', '/max/Nobody1/1d'])
      expect(await get(path)).toMatchObject({ status: 404, text: expect.stringContaining('NO_SUCH_SERVER') as string })
    for (const path of ['/server', '/avg', `/avg/${first.public_id}`, `/min/${first.public_id}/1d`])
      expect(await get(path)).toMatchObject({ status: 404, text: expect.stringContaining('"NOT_FOUND"') as string })
    expect(await get(`/avg/${first.public_id}/1y`)).toMatchObject({
      status: 400,
      text: expect.stringContaining('Use 1d, 7d or 31d.') as string,
    })
  })

  test('does not have servers that are offline, hidden, banned or deleted', async () => {
    const [gone, hidden, banned, deleted] = [
      await onlineServer({}),
      await onlineServer({}, { visible: false }),
      await onlineServer({}),
      await onlineServer({}),
    ]
    const admin = await app.signIn('admin')
    await announceFrom(app, gone.credential, {}, { method: 'DELETE', body: '' })
    await admin.call(banServer, { params: { id: banned.public_id }, body: { banned: true } })
    await owner.call(servers.remove, { params: { id: deleted.public_id } })
    await expect.poll(async () => (await readLegacyList()).map(({ id }) => id)).toEqual([first.public_id, cdn.public_id])
    for (const { public_id: id } of [gone, hidden, banned]) expect(await readServer(id)).toEqual({ active: false })
    expect((await get(`/server/${deleted.public_id}`)).status).toBe(404)
    for (const type of ['avg', 'max']) {
      for (const { public_id: id } of [hidden, banned, deleted]) expect((await get(`/${type}/${id}/1d`)).status).toBe(404)
      expect((await get(`/${type}/${gone.public_id}/1d`)).status).toBe(200)
    }
  })

  test('counts towards the limit of whole lists, together with the current API', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const send120 = (path: string) => Promise.all(Array.from({ length: 120 }, () => send(`${limited.listUrl}${path}`)))
    // Both together have a burst of 120, which refills by ten a second while the test runs.
    const accepted = (await Promise.all([send120('/servers'), send120('/servers/list')])).flat().filter(({ status }) => status === 200)
    expect(accepted.length).toBeGreaterThanOrEqual(120)
    expect(accepted.length).toBeLessThan(240)
  })
})

/*
 * Three public clients of version 1, found by a code search. Each function is our own short version of how its project builds its
 * requests, and of what it reads from the replies.
 */
describe('clients in the wild', () => {
  /** Nickwasused/altv-python-masterlist, src/masterlist.py: a Python library. It reads every field by name, and fails if one is missing. */
  const FIELDS =
    'id maxPlayers players name locked host port gameMode website language description verified promoted useEarlyAuth earlyAuthUrl useCdn ' +
    'cdnUrl useVoiceChat tags bannerUrl branch build version lastUpdate'
  const library = {
    request: async (path: string) => {
      const headers = { 'user-agent': 'AltPublicAgent', 'content-type': 'application/json; charset=utf-8', 'accept-encoding': 'identity' }
      const { status, text } = await get(path, { headers })
      return status === 200 ? (JSON.parse(text) as unknown) : undefined
    },
    server: async (id: string) => {
      const reply = (await library.request(`/server/${id}`)) as { active: boolean; info: LegacyServer } | undefined
      return reply?.active === true ? fieldsOf(reply.info) : undefined
    },
    servers: async () => ((await library.request('/servers/list')) as LegacyServer[]).map(fieldsOf),
    averagePlayers: async (id: string, time: string) => {
      const points = (await library.request(`/avg/${id}/${time}`)) as { c: number }[]
      return Math.round(points.reduce((sum, { c }) => sum + c, 0) / points.length)
    },
    connectUrl: ({ useCdn, cdnUrl, host, port }: LegacyServer) => `altv://connect/${useCdn ? cdnUrl : `${host}:${port}`}`,
  }

  function fieldsOf(server: LegacyServer): LegacyServer {
    for (const field of FIELDS.split(' ')) if (!(field in server)) throw new Error(`KeyError: ${field}`)
    return server
  }

  test('the Python library altvmasterlist reads servers, averages and connect addresses', async () => {
    expect((await library.servers()).map(library.connectUrl)).toEqual([
      'altv://connect/127.0.0.1:7788',
      `altv://connect/${CDN_ANNOUNCE.cdnUrl}`,
    ])
    expect(await library.server(first.public_id)).toMatchObject({ name: first.name, players: 30, lastUpdate: expect.any(Number) as number })
    expect(await library.server('Nobody1')).toBeUndefined()
    expect(await library.averagePlayers(first.public_id, '1d')).toBeGreaterThan(0)
    expect(await library.request(`/max/${first.public_id}/31d`)).toContainEqual({ t: expect.any(Number) as number, c: 20 })
  })

  /** altmp/altv-website, src/components/server: the list with search, and a window with the graph of a server. Browsers send an origin. */
  const website = {
    request: async (path: string) => {
      const response = await fetch(`${app.listUrl}${path}`, { headers: { origin: 'https://site.example' } })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      return response.json()
    },
    servers: async (search: string) =>
      ((await website.request('/servers/list')) as LegacyServer[])
        .toSorted((a, b) => Number(b.promoted) - Number(a.promoted) || b.players - a.players)
        .filter(({ name, tags }) => [name, ...tags].some((text) => text.toLowerCase().includes(search))),
    graph: async (type: 'avg' | 'max', id: string, period: '1d' | '7d' | '31d') =>
      ((await website.request(`/${type}/${id}/${period}`)) as { t: number; c: number }[]).map(({ t, c }) => ({
        at: new Date(t * 1000),
        players: c,
      })),
  }

  test('the website of alt:V shows the list, its search and the graph of a server', async () => {
    expect((await website.servers('')).map(({ id }) => id)).toEqual([first.public_id, cdn.public_id])
    expect((await website.servers('roleplay')).map(({ id }) => id)).toEqual([first.public_id])
    for (const type of ['avg', 'max'] as const) {
      const graph = await website.graph(type, first.public_id, '1d')
      // The last points can contain samples of this run.
      expect(graph.at(-4)?.players).toBe(20)
      expect(Math.abs(Date.now() - (graph.at(-1)?.at.getTime() ?? 0))).toBeLessThan(15 * 60_000)
    }
  })

  /** Barracuda1337/altv-discord-bot, index.js: a status message. axios throws on any status but 2xx; a missing `info` throws too: offline. */
  async function statusMessage(id: string) {
    const { status, text } = await get(`/server/${id}`, {
      headers: { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/0.21.1' },
    })
    try {
      if (status < 200 || status > 299) throw new Error(`Request failed with status code ${status}`)
      const { info } = JSON.parse(text) as { info: LegacyServer }
      return {
        title: info.name,
        url: `http://${info.website}`,
        players: `${info.players}/${info.maxPlayers}`,
        address: info.host,
        tags: info.tags.length === 0 ? 'Not set!' : String(info.tags),
        image: info.bannerUrl ?? 'no-thumb.jpg',
        gameMode: info.gameMode.length === 0 ? 'Not set!' : info.gameMode,
      }
    } catch {
      return 'Server is not online!'
    }
  }

  test('a Discord bot posts the status of a server, online and offline', async () => {
    expect(await statusMessage(first.public_id)).toEqual({
      title: first.name,
      url: 'http://sunset.example/play',
      players: '30/128',
      address: '127.0.0.1',
      tags: 'Roleplay',
      image: 'no-thumb.jpg',
      gameMode: 'Roleplay',
    })
    const offline = await buildServer(owner)
    expect(await statusMessage(offline.public_id)).toBe('Server is not online!')
    expect(await statusMessage('Nobody1')).toBe('Server is not online!')
  })
})
