/** What reading the list costs, the whole of it and the 304, beside a bare node:http server with the same bytes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fight, startBare } from './lib/duel.ts'
import { startMuster } from './lib/muster.ts'
import { listRequest } from './lib/requests.ts'
import { printOutcomes } from './lib/table.ts'

const CONNECTIONS = 8

/** @param servers how many are on the list. */
export async function run({ servers, rounds, milliseconds }: { servers: number; rounds: number; milliseconds: number }): Promise<void> {
  const muster = await startMuster(servers)
  const list = `http://127.0.0.1:${muster.listPort}/servers`
  await sleep(500)
  const etag = (await fetch(list)).headers.get('etag') ?? ''
  const gzipped = await gzippedBytes(muster.listPort)
  const bare = await startBare({ credentials: [], gzipped: gzipped.toString('base64'), etag })
  try {
    const full = { connections: CONNECTIONS, milliseconds: 0, rate: 0, requests: [listRequest({ 'Accept-Encoding': 'gzip' })] }
    const unchanged = {
      connections: 32,
      milliseconds: 0,
      rate: 0,
      requests: [listRequest({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag })],
    }
    const outcomes = await fight(
      [
        { name: `list of ${servers}, gzip, ${Math.round(gzipped.length / 1024)} KiB`, ours: full, bare: full, aim: 1.2 },
        { name: 'list, 304', ours: unchanged, bare: unchanged, aim: 1.2 },
      ],
      { pid: muster.pid, port: muster.listPort },
      bare,
      rounds,
      milliseconds,
    )
    printOutcomes(outcomes)
  } finally {
    bare.child.kill()
    await muster.stop()
  }
}

/** fetch would unpack them. */
async function gzippedBytes(port: number): Promise<Buffer> {
  const { get } = await import('node:http')
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/servers', headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })
}
