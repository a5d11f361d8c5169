/** CPU per delivery and its delay, for changes of a server with ten webhooks, compared with a bare program that signs and sends the same. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import * as servers from '#contract/servers/servers.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { discard, startProgram, temporaryFolder, until, untilReady } from '#tests/program.ts'
import { signIn } from '#tests/test-user.ts'
import type { SendOrder } from './lib/bare-sender.ts'
import { SERVER_CORE, cpuOf, pin } from './lib/cpu.ts'
import { median } from './lib/rounds.ts'
import { micro, milli, printTable, times } from './lib/table.ts'
import type { Run } from './lib/test-bed.ts'
import { WorkerProcess } from './lib/worker-process.ts'

/** The limit of an account. */
const WEBHOOKS = 10
/** Changes in a turn. Each is one event for each webhook. */
const CHANGES = 50
const MAX_DELAY_MS = 2000

export async function run({ rounds, figures }: Run): Promise<void> {
  const receiver = await startReceiver()
  const bare = new WorkerProcess<SendOrder, { sent: number }>('bare-sender.ts')
  const folder = temporaryFolder()
  const program = await startProgram(folder, { WEBHOOKS_PRIVATE: 'on', LOG_LEVEL: 'warn' })
  try {
    await untilReady(program)
    pin(program.child.pid, SERVER_CORE)
    const owner = await signIn(() => program.panelUrl, 'owner')
    const { data: server } = await owner.call(servers.create, { body: { name: 'Friday Night Roleplay' } })
    let secret = ''
    for (let index = 0; index < WEBHOOKS; index += 1) {
      const { data } = await owner.call(webhooks.create, {
        body: { name: `Load ${index}`, kind: 'standard', url: `${receiver.url}/ours`, events: ['server.updated'] },
      })
      secret = data.secret ?? ''
    }
    const [ours, floors]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      const before = cpuOf(program.child.pid)
      for (let change = 0; change < CHANGES; change += 1)
        await owner.call(servers.change, { params: { id: server.public_id }, body: { description: `Change ${round} ${change}` } })
      await until(() => receiver.delays.count >= (round + 1) * CHANGES * WEBHOOKS)
      ours.push((cpuOf(program.child.pid) - before) / 1000 / (CHANGES * WEBHOOKS))
      const began = bare.cpu()
      const { sent } = await bare.request({ url: `${receiver.url}/bare`, secret, events: CHANGES, webhooks: WEBHOOKS })
      floors.push((bare.cpu() - began) / 1000 / sent)
    }
    const p95 = receiver.delays.percentile(95)
    console.log(`WEBHOOKS: ${rounds} turns of ${CHANGES} changes, each for ${WEBHOOKS} webhooks. Ours includes the changes themselves.`)
    const row = {
      'CPU a delivery, ours': micro(median(ours)),
      bare: micro(median(floors)),
      ratio: times(median(ours) / median(floors)),
      'delay p50': milli(receiver.delays.percentile(50)),
      p95: milli(p95),
      target: figures.atMost('webhooks: delay of a delivery, p95', p95, MAX_DELAY_MS, milli),
    }
    printTable([row])
  } finally {
    receiver.close()
    bare.stop()
    discard(folder, program)
  }
}

/** Records the milliseconds from each of our events to its delivery. */
async function startReceiver() {
  const delays = createHistogram()
  const server = createServer((request, response) => {
    void json(request).then((event) => {
      const { timestamp } = event as { timestamp: string }
      // A histogram takes whole numbers from 1.
      if (request.url === '/ours') delays.record(Math.max(1, Date.now() - Date.parse(timestamp)))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, delays, close: () => void server.close() }
}
