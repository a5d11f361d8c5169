/** A graceful shutdown: the program reports that it is not ready, answers pending calls and loses no data. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import * as live from '#contract/masterlist/live.ts'
import { buildServer, portOf, validAnnounce } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, readList } from '#tests/list/send.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { discard, startProgram, until, untilReady } from '#tests/program.ts'

const readiness = async (url: string) => {
  const response = await fetch(`${url}/readyz`)
  return [response.status, await response.text()]
}

async function isListening(port: number, hostname: string): Promise<boolean> {
  const socket = connect(port, hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** The Connection header of a keep-alive request's response. */
async function connectionOf(url: string): Promise<string | undefined> {
  const sent = request(url, { headers: { connection: 'keep-alive' } })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.headers.connection
}

test('during the drain it still answers calls, but is not ready and closes each connection', async () => {
  const app = await startApp({ DRAIN_SECONDS: '3' })
  const user = await app.newUser()
  const { credential, public_id: publicId } = await buildServer(user)
  const { panelUrl, listUrl } = app
  expect(await connectionOf(`${panelUrl}/healthz`)).toBe('keep-alive')
  const events = await user.fetch(live.events.route.split(' ')[1] ?? '')
  let hasRestarted = false
  const restarted = app.restart().then(() => (hasRestarted = true))
  for (const url of [panelUrl, listUrl]) {
    await expect.poll(() => readiness(url), { interval: 20 }).toEqual([503, 'draining\n'])
    expect(await connectionOf(`${url}/healthz`)).toBe('close')
  }
  expect(await connectionOf(`${listUrl}/servers`)).toBe('close')
  expect((await announceFrom({ listUrl }, credential, { playersCount: 41 })).status).toBe(200)
  expect((await fetch(`${panelUrl}/api/about`)).status).toBe(200)
  expect(hasRestarted).toBe(false)
  // A stream ends with the retry delay.
  const text = await events.text()
  expect(text).toMatch(/retry: \d+\n\n$/)
  expect(text.match(/retry: /g)).toHaveLength(2)
  await restarted
  const row = (await readList(app)).find((one) => one.publicId === publicId)
  expect(row?.playersCount).toBe(41)
})

test('an announce accepted before or during the drain survives the restart', async () => {
  const app = await startApp({ DRAIN_SECONDS: '1' })
  const user = await app.newUser()
  const fleet = await Promise.all([1, 2, 3].map(() => buildServer(user)))
  const accepted = new Map<string, number>()
  const { listUrl } = app
  let isOver = false
  const restarted = app.restart().finally(() => (isOver = true))
  let players = 0
  while (!isOver) {
    for (const { credential, public_id: publicId } of fleet) {
      players = (players + 1) % 64
      const playersCount = players
      const response = await announceFrom({ listUrl }, credential, { playersCount }).catch(() => undefined)
      if (response?.status === 200) accepted.set(publicId, playersCount)
    }
    await sleep(10)
  }
  await restarted
  const rows = await readList(app)
  expect(new Map(rows.map((row) => [row.publicId, row.playersCount]))).toEqual(accepted)
})

test('an announce partly received when the list stops gets its response and closes its connection', async () => {
  const app = await startApp()
  const user = await app.newUser()
  const { credential, public_id: publicId } = await buildServer(user)
  const { hostname, port } = new URL(app.listUrl)
  const textOf = (secret: string) => {
    const body = JSON.stringify({ ...validAnnounce, port: portOf(secret), playersCount: 41 })
    return `POST /announce HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const begun = async (text: string, characters: number) => {
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(text.slice(0, characters))
    let received = ''
    socket.on('data', (piece: string) => (received += piece))
    return { socket, rest: text.slice(characters), response: once(socket, 'close').then(() => received) }
  }
  const first = textOf(credential)
  const inHeaders = await begun(first, 40)
  const inBody = await begun(first, first.length - 10)
  // Only the first announce of a server waits for the database.
  const announced = await buildServer(user)
  expect((await announceFrom(app, announced.credential)).status).toBe(200)
  const later = textOf(announced.credential)
  const inLaterBody = await begun(later, later.length - 10)
  // After this call, the program has read what was sent before.
  await readiness(app.listUrl)
  const restarted = app.restart()
  await until(async () => !(await isListening(Number(port), hostname)))
  const calls = [inHeaders, inBody, inLaterBody]
  for (const { socket, rest } of calls) socket.write(rest)
  const responses = await Promise.all(calls.map(({ response }) => response))
  for (const response of responses) {
    expect(response).toMatch(/^HTTP\/1.1 200 /)
    expect(response).toMatch(/\r\nConnection: close\r\n/)
  }
  await restarted
  expect((await readList(app)).find((row) => row.publicId === publicId)?.playersCount).toBe(41)
})

test('a second SIGTERM stops a real program at once during a long drain', async () => {
  const folder = preparedFolder()
  const program = await startProgram(folder, { DRAIN_SECONDS: '60' })
  try {
    await untilReady(program)
    program.child.kill('SIGTERM')
    await until(async () => (await readiness(program.panelUrl))[0] === 503)
    // A second signal within a second counts as the same key press, forwarded by npm.
    await sleep(1100)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(1)
  } finally {
    discard(folder, program)
  }
})

test('a client that does not read responses or finish its request does not block saving at shutdown', async () => {
  const app = await startApp()
  const user = await app.newUser()
  const { credential, public_id: publicId } = await buildServer(user)
  const opened = async (url: string, text: string) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  await opened(app.panelUrl, 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200))
  await opened(app.listUrl, 'GET /servers HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5000))
  const half = 'POST /announce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
  const closed = [app.panelUrl, app.listUrl].map(async (url) => once((await opened(url, half)).resume(), 'close'))
  // After these calls, the program is answering the earlier ones.
  for (const url of [app.panelUrl, app.listUrl]) await readiness(url)
  expect((await announceFrom(app, credential, { playersCount: 42 })).status).toBe(200)
  await app.restart()
  expect((await readList(app)).find((row) => row.publicId === publicId)?.playersCount).toBe(42)
  await Promise.all(closed)
})
