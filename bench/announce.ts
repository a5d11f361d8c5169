/** What an announce costs the whole process, publishing and saving included, beside a bare node:http server. */
import { interleave, type Turn } from './lib/rounds.ts'
import type { Run } from './lib/stage.ts'
import { micro, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const CONNECTIONS = 32
const AIM = 1.25
const AIM_OF_GROWTH = 1.2
/** Of a turn in the other parts: saving and sweeping up happen several times in it. */
const LONGER = 2

/** All sizes take turns in the same minutes; three of ten announces change the number of players. */
export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const turns: Turn[] = []
  for (const servers of sizes) {
    const { ours, bare, announces } = await stage.warmPair(servers, milliseconds)
    for (const target of [ours, bare]) {
      const order = { ...announces(CONNECTIONS, 0), staysAwake: true }
      turns.push(() => stage.load.run(target, milliseconds * LONGER, order))
    }
  }
  const last = sizes.length - 1
  const result = await interleave(
    rounds,
    turns,
    (soFar) =>
      sizes.some((_, at) => soFar.leavesOpen(2 * at, 2 * at + 1, AIM)) || (last > 0 && soFar.leavesOpen(2 * last, 0, AIM_OF_GROWTH)),
  )
  console.log(
    `ANNOUNCE: closed loop, ${CONNECTIONS} connections, ${result.count} rounds. Others took up to ${percent(result.othersPercent)} of a core.`,
  )
  printTable([
    ['servers', 'CPU ours', 'CPU bare', 'ratio', '', 'rate ours', 'bare', 'p99 ours', 'bare', 'statuses', 'Postgres'],
    ...sizes.map((servers, at) => {
      const [ours, bare, ratio] = [result.of(2 * at), result.of(2 * at + 1), result.ratio(2 * at, 2 * at + 1)]
      return [
        size(servers),
        micro(ours.cpuMicroseconds),
        micro(bare.cpuMicroseconds),
        times(ratio),
        figures.atMost(`announce, ${size(servers)}: CPU / bare node:http`, ratio, AIM, times),
        rate(ours.perSecond),
        rate(bare.perSecond),
        milli(ours.p99),
        milli(bare.p99),
        statusesOf(ours.statuses),
        percent(ours.databasePercent),
      ]
    }),
  ])
  if (last === 0) return
  const [growth, bareGrowth] = [result.ratio(2 * last, 0), result.ratio(2 * last + 1, 1)]
  const name = `announce: growth ${size(sizes[0] ?? 0)} to ${size(sizes[last] ?? 0)}`
  console.log(`${name}: ${times(growth)} ${figures.atMost(name, growth, AIM_OF_GROWTH, times)} (bare ${times(bareGrowth)})`)
}
