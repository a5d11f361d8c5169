/** CPU per delivery and its delay, for changes of a server with ten webhooks, compared with a bare program that signs and sends the same. */
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebhookWithSecret } from '#contract/webhooks/webhooks.ts'
import { type Program, discard, startProgram, until, untilReady } from '#tests/program.ts'
import type { SendOrder } from './lib/bare-sender.ts'
import { SERVER_CORE, cpuOf, pin } from './lib/cpu.ts'
import { Owner } from './lib/owner.ts'
import { median } from './lib/rounds.ts'
import { micro, milli, printTable, times } from './lib/table.ts'
import type { Run } from './lib/test-bed.ts'
import { WorkerProcess } from './lib/worker-process.ts'

/** The limit of an account. */
const WEBHOOKS = 10
/** Changes in a turn. Each is one event for each webhook. */
const CHANGES = 50
const MAX_DELAY_MS = 2000

interface Receiver {
  readonly url: string
  /** Milliseconds from each event to its delivery, since the last call. */
  takeDelays(): number[]
  close(): void
}

export async function run({ rounds, figures }: Run): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const receiver = await startReceiver()
  const bare = new WorkerProcess<SendOrder, { sent: number }>('bare-sender.ts')
  let program: Program | undefined
  try {
    program = await untilReady(await startProgram(folder, { WEBHOOKS_PRIVATE: 'on', LOG_LEVEL: 'warn' }))
    const pid = program.child.pid ?? 0
    pin(pid, SERVER_CORE)
    const owner = await Owner.withServers(program, 1)
    const secret = await subscribe(owner, receiver.url)
    const [ours, floors, delays]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round += 1) {
      const before = cpuOf(pid)
      const delivered = await change(owner, receiver, round)
      ours.push((cpuOf(pid) - before) / 1000 / delivered.length)
      delays.push(...delivered)
      const began = bare.cpu()
      const { sent } = await bare.request({ url: receiver.url, secret, events: CHANGES, webhooks: WEBHOOKS })
      floors.push((bare.cpu() - began) / 1000 / sent)
      receiver.takeDelays()
    }
    const sorted = delays.toSorted((a, b) => a - b)
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
    console.log(`WEBHOOKS: ${rounds} turns of ${CHANGES} changes, each for ${WEBHOOKS} webhooks. Ours includes the changes themselves.`)
    printTable([
      ['CPU a delivery, ours', 'bare', 'ratio', 'delay p50', 'p95', ''],
      [
        micro(median(ours)),
        micro(median(floors)),
        times(median(ours) / median(floors)),
        milli(median(sorted)),
        milli(p95),
        figures.atMost('webhooks: delay of a delivery, p95', p95, MAX_DELAY_MS, milli),
      ],
    ])
  } finally {
    receiver.close()
    bare.stop()
    discard(folder, ...(program ? [program] : []))
  }
}

/** Creates the webhooks. Returns the secret of one. */
async function subscribe(owner: Owner, url: string): Promise<string> {
  let secret = ''
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const body = { name: `Load ${index}`, kind: 'standard', url: `${url}/${index}`, events: ['server.updated'] }
    secret = (await owner.call<WebhookWithSecret>('POST /api/users/webhooks', body)).secret ?? secret
  }
  return secret
}

/** Changes the server, and waits until every webhook has every change. Returns the delays. */
async function change(owner: Owner, receiver: Receiver, round: number): Promise<number[]> {
  const [id] = owner.publicIds
  for (let turn = 0; turn < CHANGES; turn += 1)
    await owner.call(`PATCH /api/users/tokens/${id}`, { description: `Change ${round} ${turn}` })
  const delays: number[] = []
  await until(() => {
    delays.push(...receiver.takeDelays())
    return delays.length >= CHANGES * WEBHOOKS
  }, 60_000)
  return delays
}

async function startReceiver(): Promise<Receiver> {
  let delays: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string }
      delays.push(Date.now() - Date.parse(timestamp))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const takeDelays = () => {
    const taken = delays
    delays = []
    return taken
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, takeDelays, close: () => void server.close() }
}
