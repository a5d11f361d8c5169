/** The receiver in docs/api.md, run as it is written there. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'

const root = join(import.meta.dirname, '../../..')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the code of the docs, and returns what it has printed. */
function startReceiver(secret: string, port: number): () => string {
  const [, code = ''] = /```js\n([\s\S]*?createServer[\s\S]*?)```/.exec(readFileSync(join(root, 'docs/api.md'), 'utf8')) ?? []
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(16)
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  return () => printed
}

test('the receiver in the docs prints events and rejects wrong signatures', async () => {
  const app = await startApp({ WEBHOOKS_PRIVATE: 'on' }, { postPublic: createPostPublic({}, true) })
  const owner = await app.newUser()
  const port = await freePort()
  const url = `http://localhost:${port}/`
  const created = await owner.call(webhooks.create, { body: { name: 'Docs', kind: 'standard', url, events: ['server.created'] } })
  expect(created.status, created.text).toBe(200)
  const { id, secret } = created.data
  const sendTest = async () => (await owner.call(webhooks.sendTest, { params: { id } })).data
  expect(await sendTest()).toMatchObject({ state: 'failed', response: null, error: 'Could not connect to this address.' })
  const printed = startReceiver(secret ?? '', port)
  await expect.poll(async () => (await sendTest()).state, { timeout: 10_000, interval: 200 }).toBe('succeeded')
  const server = await buildServer(owner)
  await expect.poll(printed).toContain(server.public_id)
  expect(printed()).toContain('webhook.test')
  const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'x' } })
  expect(forged.status).toBe(401)
})
