/** What an announce costs the whole process, publishing and saving included, beside a bare node:http server. */
import { cpuOfFamily } from './lib/cpu.ts'
import { fight, startBare } from './lib/duel.ts'
import { startMuster } from './lib/muster.ts'
import { announceRequests } from './lib/requests.ts'
import { printOutcomes } from './lib/table.ts'

const CONNECTIONS = 32

/** @param servers how many are on the list and take turns announcing; three of ten announces change the number of players. */
export async function run({ servers, rounds, milliseconds }: { servers: number; rounds: number; milliseconds: number }): Promise<void> {
  const muster = await startMuster(servers)
  const bare = await startBare({ credentials: muster.fleet.map((one) => one.credential), gzipped: '', etag: '' })
  try {
    const order = { connections: CONNECTIONS, milliseconds: 0, rate: 0, requests: announceRequests(muster.fleet) }
    const postgres = cpuOfFamily(muster.postgresPid)
    const outcomes = await fight(
      [{ name: `announce, ${servers} servers`, ours: order, bare: order, aim: 1.5 }],
      { pid: muster.pid, port: muster.listPort },
      bare,
      rounds,
      milliseconds,
    )
    printOutcomes(outcomes)
    console.log(`Postgres beside it: ${((cpuOfFamily(muster.postgresPid) - postgres) / 1e6).toFixed(0)} ms of CPU in all rounds.`)
  } finally {
    bare.child.kill()
    await muster.stop()
  }
}
