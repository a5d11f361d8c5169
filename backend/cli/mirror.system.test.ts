/** `muster mirror` as a process: it follows, verifies, outlives its origin and its own restart. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { list } from '#sdk/list/index.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'
import { MUSTER, freePort, runCommand, startProgram } from '#tests/program.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const keys = signingKeys()

async function startOrigin(): Promise<{ app: TestApp; announce: () => Promise<void> }> {
  const app = await startApp(keys.variables)
  const owner = await fleetOwner(app)
  const announce = async () => {
    const { credential, public_id: id } = await buildServer(owner)
    await announceFrom(app, credential)
    await expect.poll(async () => (await readList(app)).some(({ publicId }) => publicId === id)).toBe(true)
  }
  await announce()
  return { app, announce }
}

/** @param url the list to follow. */
async function startMirror(url: string, folder: string) {
  const port = await freePort()
  const program = await startProgram(
    folder,
    {},
    [],
    [MUSTER, 'mirror', url, '--public-key', keys.publicKey, '--listen', `127.0.0.1:${port}`, '--folder', folder],
  )
  onTestFinished(() => void program.child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${port}`
  const status = async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.status
  await expect.poll(status).toBeDefined()
  const stop = (signal: NodeJS.Signals = 'SIGINT') => {
    program.child.kill(signal)
    return program.ended
  }
  return { address, status, stop, output: () => program.output() }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-mirror-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a mirror follows, serves readers within 2 seconds of a dead origin, and after a restart from its folder', async () => {
  const { app, announce } = await startOrigin()
  const folder = temporaryFolder()
  const mirror = await startMirror(app.listUrl, folder)
  await expect.poll(mirror.status).toBe(200)
  const readers = (url = app.listUrl) => list({ url, mirrors: [mirror.address], publicKey: keys.publicKey })
  expect((await readers().read()).source).toBe(app.listUrl)
  await announce()
  const viaMirror = list({ mirrors: [mirror.address], publicKey: keys.publicKey })
  await expect.poll(async () => (await viaMirror.read()).servers.length).toBe(2)
  const expected = await readList(app)
  await app.close()
  const began = performance.now()
  const { servers, source } = await readers().read()
  expect(performance.now() - began).toBeLessThan(2000)
  expect([servers, source]).toEqual([expected, mirror.address])
  // A machine that is gone answers nothing at all, not even a rejection.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => silent.close().closeAllConnections())
  const silentBegan = performance.now()
  expect((await readers(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`).read()).source).toBe(mirror.address)
  expect(performance.now() - silentBegan).toBeLessThan(2000)
  await expect.poll(mirror.output).toMatch(/has no usable list: it does not answer: ECONNREFUSED\. Still serving version \d+ of /)
  expect(await mirror.stop()).toBe(0)

  const again = await startMirror(app.listUrl, folder)
  expect(again.output()).toMatch(/loaded version \d+ of \S+ from /)
  expect((await list({ mirrors: [again.address], publicKey: keys.publicKey }).read()).servers).toEqual(expected)
  expect(await again.stop('SIGTERM')).toBe(0)
})

test('a mirror serves nothing that it could not verify, from its source or its folder', async () => {
  const { app } = await startOrigin()
  const folder = temporaryFolder()
  const honest = await startMirror(app.listUrl, folder)
  await expect.poll(honest.status).toBe(200)
  await honest.stop()
  // Someone changes a chunk in the folder, and on the way from the origin.
  const chunks = join(folder, 'signed/chunks')
  for (const name of readdirSync(chunks))
    writeFileSync(join(chunks, name), readFileSync(join(chunks, name), 'utf8').replace('Server', 'Xerver'))
  const liar = createServer((request, response) => {
    void send(`${app.listUrl}${request.url}`).then(({ status, text }) => response.writeHead(status).end(text.replace('Server', 'Xerver')))
  }).listen(0, '127.0.0.1')
  await once(liar, 'listening')
  onTestFinished(() => void liar.close())
  const mirror = await startMirror(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, folder)
  await expect.poll(mirror.output).toMatch(/the folder has no usable list: a chunk is not the one that its head names/)
  await expect.poll(mirror.output).toMatch(/has no usable list: a chunk is not the one that its head names\. There is no list to serve\./)
  for (const path of ['/healthz', '/signed/head', '/signed/keys', `/signed/chunks/${readdirSync(chunks)[0]}`])
    expect((await send(`${mirror.address}${path}`)).status, path).toBe(503)
  await mirror.stop()
})

test('a mirror answers like the list: HEAD, conditional requests, preflights, 404 and 405', async () => {
  const { app } = await startOrigin()
  const { address, status } = await startMirror(app.listUrl, temporaryFolder())
  await expect.poll(status).toBe(200)
  for (const path of ['/signed/head', '/signed/keys']) {
    const full = await send(`${address}${path}`)
    expect(full.headers).toMatchObject({ 'access-control-allow-origin': '*', 'content-type': 'text/plain; charset=utf-8' })
    const bare = await send(`${address}${path}`, { method: 'HEAD' })
    expect([bare.status, bare.text, bare.headers['content-length']]).toEqual([200, '', String(full.bytes.length)])
    expect((await send(`${address}${path}`, { headers: { 'if-none-match': full.headers.etag ?? '' } })).status).toBe(304)
  }
  const statuses = [
    ['GET', '/servers', 404],
    ['GET', `/signed/chunks/${'0'.repeat(64)}`, 404],
    ['GET', '/signed/chunks/%2e%2e%2fkeys', 404],
    ['POST', '/signed/head', 405],
    ['OPTIONS', '/signed/head', 204],
  ] as const
  for (const [method, path, expected] of statuses) expect((await send(`${address}${path}`, { method })).status, path).toBe(expected)
})

test('wrong options are named', async () => {
  const outputs = await Promise.all([
    runCommand(['mirror'], {}),
    runCommand(['mirror', 'list.example.com', '--public-key', keys.publicKey], {}),
    runCommand(['mirror', 'https://list.example.com', '--public-key', 'mst_x'], {}),
    runCommand(['mirror', 'https://list.example.com', '--public-key', keys.publicKey, '--listen', 'nowhere'], {}),
  ])
  expect(outputs.map(({ code, output }) => `${code} ${output.trim()}`)).toEqual([
    expect.stringMatching(/^1 Usage: /),
    '1 URL must begin with http:// or https://.',
    expect.stringMatching(/^1 --public-key must be the public key of the list/),
    '1 --listen must be HOST:PORT, such as 0.0.0.0:3002.',
  ])
})
