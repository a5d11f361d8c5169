/** `muster-agent` as a program, against a list that is played. */
import { execFile, spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askTcp } from '#backend/services/probing/ask-tcp.ts'
import { GOODBYE, PUBLIC_ID, accepted, acceptedWith, rejected } from '#sdk/conform/answers.ts'
import { FakeList } from '#sdk/conform/fake-list.ts'
import { freePort } from '#tests/program.ts'

const AGENT = join(import.meta.dirname, '../../sdk/src/agent/main.ts')
const HIDDEN = acceptedWith([{ code: 'HIDDEN', message: 'It is hidden.' }], false)

let list: FakeList
let answerTo: (method: string, index: number) => ReturnType<typeof accepted>
beforeEach(async () => {
  answerTo = (method) => (method === 'DELETE' ? GOODBYE : accepted(30))
  list = new FakeList((method, index) => answerTo(method, index))
  await list.open()
})
afterEach(() => list.close())

const envOf = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  MUSTER_URL: list.url,
  MUSTER_CREDENTIAL: 'mst_abcdefg_secret',
  PORT: '7788',
  MAX_PLAYERS: '64',
  AGENT_PORT: '0',
  ...more,
})

/** Runs the agent to its end. */
async function run(args: readonly string[], more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const ended = promisify(execFile)(process.execPath, [AGENT, ...args], { env: envOf(more) })
  const { code = 0, stdout, stderr } = (await ended.catch((error: unknown) => error)) as { code?: number; stdout: string; stderr: string }
  return { code, output: stdout + stderr }
}

/** Starts the agent, and waits until it serves its local calls. */
async function start(args: readonly string[] = [], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [AGENT, ...args], { env: envOf(more), stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await expect.poll(() => output).toMatch(/127\.0\.0\.1:\d+/)
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(output) ?? []
  const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { child, exitCode, call, output: () => output }
}

test('the game changes its state with one call, wrong calls change nothing, and a probe is answered', async () => {
  const port = await freePort()
  const agent = await start([], { PORT: String(port), AGENT_PROBES: 'on' })
  await expect.poll(() => list.announces).toHaveLength(1)
  const state = (body: string, headers = {}) => agent.call('/state', { method: 'POST', body, headers })
  for (const [body, error] of [
    ['{"players":-1}', 'players must be a whole number from 0 to 4096.'],
    ['{"players":null}', 'players must be a whole number from 0 to 4096.'],
    ['{"players":3,"player":4}', 'Unknown field "player". Leave it out.'],
    ...['constructor', 'toString', '__proto__'].map((name) => [`{"${name}":1}`, `Unknown field "${name}". Leave it out.`] as const),
    ['[]', 'Send an object, such as {"players":12}.'],
    ['{', 'The body is not valid JSON. Send an object, such as {"players":12}.'],
  ] as const) {
    const response = await state(body)
    expect([response.status, await response.json()]).toEqual([400, { errors: [error] }])
  }
  expect((await state('{"players":9}', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await state(`{"players":9,"x":"${'x'.repeat(9000)}"}`)).status).toBe(413)
  expect((await agent.call('/state')).status).toBe(405)
  expect((await agent.call('/')).status).toBe(404)
  const changed = await state('{"players":12,"gameMode":"Race"}')
  expect([changed.status, await changed.json()]).toMatchObject([200, { players: 12, gameMode: 'Race', maxPlayers: 64 }])
  await expect.poll(() => list.announces.length).toBe(2)
  expect(JSON.parse(list.announces[1]?.body ?? '')).toMatchObject({ port, playersCount: 12, gameMode: 'Race' })
  const health = await agent.call('/health')
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'listed', publicId: PUBLIC_ID }])
  const key = createHash('sha256').update('mst_abcdefg_secret').digest()
  const answer = () =>
    askTcp(
      { publicId: PUBLIC_ID, address: '127.0.0.1', port, endpoint: `127.0.0.1:${port}`, key },
      Date.now(),
      new AbortController().signal,
    )
  await expect.poll(answer).toEqual({ result: 'answered' })
  agent.child.kill('SIGTERM')
  expect(await agent.exitCode).toBe(0)
  expect(list.goodbyes.map(({ body }) => body)).toEqual([JSON.stringify({ port })])
  expect(agent.output()).not.toContain('secret')
})

const UDP_PROBE = Buffer.concat([Buffer.from('MUSTER1 '), Buffer.alloc(32, 7), Buffer.alloc(24)])

/** What the list computes of the probe. */
function udpAnswer(endpoint: string): Buffer {
  const key = createHash('sha256').update('mst_abcdefg_secret').digest()
  return Buffer.concat([Buffer.from('MUSTER1 '), createHmac('sha256', key).update(UDP_PROBE.subarray(8, 40)).update(endpoint).digest()])
}

test('the game answers a UDP probe with one call, and what is no probe gets no answer', async () => {
  const agent = await start([], { MUSTER_HOST: ' Play.Example.COM ', MUSTER_PROBE: 'udp' })
  const post = (body: Uint8Array<ArrayBuffer>, headers = {}) => agent.call('/probe', { method: 'POST', body, headers })
  const answer = await post(UDP_PROBE)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(udpAnswer('play.example.com:7788'))
  const foreign = await post(UDP_PROBE.subarray(1))
  expect([foreign.status, await foreign.text()]).toEqual([204, ''])
  expect((await agent.call('/probe')).status).toBe(405)
  expect((await post(UDP_PROBE, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(Buffer.alloc(9000))).status).toBe(413)
  await expect.poll(() => list.announces).toHaveLength(1)
  expect(JSON.parse(list.announces[0]?.body ?? '')).toMatchObject({ host: 'Play.Example.COM', probe: 'udp' })
  agent.child.kill('SIGTERM')
  expect(await agent.exitCode).toBe(0)
})

test('with AGENT_PROBES=on and MUSTER_PROBE=udp, the agent answers on the UDP port of a game that uses TCP', async () => {
  const port = await freePort()
  const agent = await start([], { PORT: String(port), MUSTER_PROBE: 'udp', AGENT_PROBES: 'on' })
  const socket = createSocket('udp4')
  const answers: Buffer[] = []
  socket.on('message', (answer) => answers.push(answer))
  await expect
    .poll(() => {
      socket.send(UDP_PROBE, port, '127.0.0.1')
      return answers[0]
    })
    .toEqual(udpAnswer(`:${port}`))
  socket.close()
  agent.child.kill('SIGTERM')
  expect(await agent.exitCode).toBe(0)
})

test('health is 503 while the list rejects the server or is down, and says why and what to do', async () => {
  answerTo = (method) => (method === 'DELETE' ? GOODBYE : rejected(403, 'SERVER_BANNED'))
  const down = new FakeList(() => GOODBYE)
  await down.open(true)
  const agents = await Promise.all([start(), start([], { MUSTER_URL: down.url })])
  const [banned, offline] = agents
  const healthOf = async ({ call }: typeof banned) => (await call('/health')).json()
  await expect.poll(() => healthOf(banned)).toMatchObject({ status: 'rejected', code: 'SERVER_BANNED' })
  const message = 'The list does not reply: ECONNREFUSED.'
  const remedy = 'Check that MUSTER_URL is correct and that the list is running.'
  await expect.poll(() => healthOf(offline)).toMatchObject({ status: 'offline', code: '', message, remedy })
  expect(offline.output()).toContain(` s. ${message} ${remedy}\n`)
  for (const { child, call, exitCode } of agents) {
    expect((await call('/health')).status).toBe(503)
    child.kill('SIGINT')
    expect(await exitCode).toBe(0)
  }
})

test('--exec ends with the exit code of the game, passes signals to it, and says goodbye', async () => {
  const [ended, missing] = await Promise.all([
    run(['--exec', process.execPath, '-e', 'setTimeout(() => process.exit(7), 500)']),
    run(['--exec', '/no/such/game']),
  ])
  expect(ended).toMatchObject({ code: 7 })
  expect(missing).toMatchObject({ code: 127 })
  expect(list.goodbyes).not.toHaveLength(0)
  const agent = await start([
    '--exec',
    process.execPath,
    '-e',
    `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
  ])
  await expect.poll(agent.output).toContain('ready')
  agent.child.kill('SIGTERM')
  expect(await agent.exitCode).toBe(5)
})

test('--once and --dry-run say what the list replies, by their exit code too', async () => {
  answerTo = () => HIDDEN
  const [once, dry] = await Promise.all([run(['--once']), run(['--dry-run'])])
  expect(once.code).toBe(0)
  expect(once.output).toContain('Players do not see the server.\nHIDDEN: It is hidden.')
  expect(dry.code).toBe(0)
  expect(dry.output).toContain('with the credential mst_abcdefg_…:\n{"port":7788,')
  const pasted = await run(['--dry-run'], { MUSTER_URL: `${list.url}/announce` })
  expect(pasted).toEqual(dry)
  const paths = ['/announce', '/cloud-auth/verify', '/cloud-auth/verify']
  expect(list.seen.map(({ path }) => path).toSorted()).toEqual(paths)
  answerTo = () => rejected(401, 'CREDENTIAL_REVOKED')
  for (const { code, output } of await Promise.all([run(['--once']), run(['--dry-run'])])) {
    expect(code).toBe(3)
    expect(output).toContain('CREDENTIAL_REVOKED: Sentence 1 of the rejection CREDENTIAL_REVOKED. Remedy')
  }
  const page = JSON.stringify({ statusCode: 404, errors: ['There is no such page.'], isBusiness: false })
  answerTo = () => ({ ...accepted(30), status: 404, body: page })
  const remedy = "MUSTER_URL may be the panel's address. Set it to the address of the master list.\n"
  expect(await run(['--once'])).toEqual({
    code: 4,
    output: `The reply is not from a master list. HTTP_404: There is no such page. ${remedy}`,
  })
  answerTo = () => ({ ...accepted(30), status: 404, body: '<html>' })
  expect(await run(['--once'])).toEqual({ code: 4, output: `There is no usable reply: the list replied with status 404. ${remedy}` })
  await list.close()
  expect((await run(['--dry-run'])).code).toBe(4)
})

test('wrong options and settings are named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-agent-'))
  const file = join(folder, 'credential')
  writeFileSync(file, 'mst_abcdefg_file\n')
  const results = await Promise.all([
    run(['--help']),
    run(['--twice']),
    run(['--exec']),
    run([], { PORT: '70000', MAX_PLAYERS: '', MUSTER_URL: 'list.example', MUSTER_CREDENTIAL: '' }),
    run(['--once'], { MUSTER_CREDENTIAL: '', MUSTER_CREDENTIAL_FILE: file }),
    run([], { MUSTER_CREDENTIAL: '', MUSTER_CREDENTIAL_FILE: join(folder, 'none') }),
    run([], { AGENT_PORT: new URL(list.url).port }),
    run(['--dry-run', '--once']),
    run([], { MUSTER_URL: '' }),
    run([], { MUSTER_HOST: 'play.example.com:7788', MUSTER_PROBE: 'icmp', MUSTER_FAMILIES: '4,5' }),
  ])
  rmSync(folder, { recursive: true })
  expect(results.map(({ code }) => code)).toEqual([0, 2, 2, 2, 0, 2, 5, 2, 2, 2])
  expect(results[3]?.output.trim().split('\n')).toEqual([
    'MUSTER_URL must start with http:// or https://.',
    'MUSTER_CREDENTIAL is not set. It must be the credential that the panel showed, from mst_ to the last character.',
    'PORT must be a whole number from 1 to 65535.',
    'MAX_PLAYERS is not set. It must be a whole number from 1 to 4096.',
  ])
  expect(results[6]?.output).toMatch(/EADDRINUSE.*\. Set AGENT_PORT to another port, or to 0 for any free port\.\n$/)
  expect(results[7]?.output).toBe('--once does not work with --dry-run.\n')
  expect(results[8]?.output).toBe('MUSTER_URL is not set. It must start with http:// or https://.\n')
  expect(results[9]?.output.trim().split('\n')).toEqual([
    'MUSTER_HOST must be a name or an IP address, without a port. The port goes to PORT.',
    'MUSTER_PROBE must be tcp, udp or none.',
    'MUSTER_FAMILIES must be 4, 6 or 4,6.',
  ])
  expect(list.announces.some(({ headers }) => headers.authorization === 'Bearer mst_abcdefg_file')).toBe(true)
})
