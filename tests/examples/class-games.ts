/** Games that use the classes in C++ and C# as their comments say: many threads change the state, and the server stops and starts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AnnouncerProcess } from '#sdk/conform/announcer-process.ts'
import { GOODBYE, PUBLIC_ID, accepted } from '#sdk/conform/answers.ts'
import { FakeList } from '#sdk/conform/fake-list.ts'
import { type UdpProbe, askProbes } from '#sdk/conform/probes.ts'
import { freePort } from '#tests/program.ts'
import type { Command } from './toolchains.ts'

const MAX_MS = 60_000
/** 8,000 changes from 0, each to the next of 65 values. */
const PLAYERS = 8000 % 65

const UDP: UdpProbe = { kind: 'udp', about: 'a UDP probe' }
const OTHER: UdpProbe = { kind: 'udp', about: 'a datagram of the game', instead: () => Buffer.from('hello') }

/** What is wrong; undefined without a fault. */
export async function playGame(command: Command): Promise<string | undefined> {
  const list = new FakeList((method) => (method === 'DELETE' ? GOODBYE : accepted(30)))
  await list.open()
  const port = await freePort()
  const host = 'Play.Example.com.'
  const settings = { MUSTER_URL: `${list.url}/announce/`, MUSTER_CREDENTIAL: 'mst_x', PORT: String(port), MUSTER_HOST: host }
  const game = new AnnouncerProcess(command, settings)
  try {
    const probe = answerOf(list, port)
    const overUdp = askProbes([UDP, OTHER, UDP], { credential: 'mst_x', port, host, maxPlayers: 64 })
    await Promise.race([game.exited, sleep(MAX_MS, undefined, { ref: false })])
    const wire = list.seen.map(({ method, path, body }) => {
      const sent = JSON.parse(body) as { port: number; playersCount?: number }
      return `${method} ${path} ${sent.port === port ? '' : sent.port}${sent.playersCount ?? 'left'}`
    })
    const played = [0, PLAYERS].map((players) => `POST /announce ${players}`)
    const expected = [...played, 'DELETE /announce left', `POST /announce ${PLAYERS}`, 'DELETE /announce left']
    if (game.exit?.code !== 0) return `ended with ${JSON.stringify(game.exit)}: ${game.output}`
    if (wire.join() !== expected.join()) return `sent ${wire.join(', ')} instead of ${expected.join(', ')}`
    const [failure] = await overUdp
    if (failure !== undefined) return `got a UDP probe: ${failure.seen}`
    const token = `${PUBLIC_ID}.1.nonce.signature`
    return (await probe) === token ? undefined : `answered the reachability check with ${await probe}`
  } finally {
    game.kill()
    await list.close()
  }
}

/** The answer to the reachability check after the first announce. */
async function answerOf(list: FakeList, port: number): Promise<string> {
  while (list.announces.length === 0) await list.nextEvent(MAX_MS)
  for (let attempt = 0; ; attempt += 1) {
    try {
      const url = `http://127.0.0.1:${port}/.well-known/muster`
      const foreign = await fetch(`${url}/another.1.nonce.signature`)
      if (foreign.status !== 404) return `status ${foreign.status} for another server`
      return await (await fetch(`${url}/${PUBLIC_ID}.1.nonce.signature`)).text()
    } catch (error) {
      if (attempt === 20) return String(error)
      await sleep(100)
    }
  }
}
