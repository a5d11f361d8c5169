/** Whether keeping readers up to date costs in proportion to what changed: a fixed number of changes a second in lists of very different sizes. */
import { announceBody } from './lib/fleet.ts'
import type { Asked, Cost } from './lib/load.ts'
import { announceRequest, listRequest } from './lib/requests.ts'
import { interleave, type Turn } from './lib/rounds.ts'
import type { Pair, Run } from './lib/stage.ts'
import { percent, printTable, size, statusesOf, times } from './lib/table.ts'
import { Versions, sincePath } from './lib/versions.ts'

/** Where these are the sizes of the run, they are measured at these. */
const SIZES = { usual: '1000,10000,30000', measured: [1000, 10_000, 50_000] }
const CHANGES_A_SECOND = 100
const DELTAS_A_SECOND = 20
const BEHIND_MS = 1000
const AIM = 1.2
const LONGER = 4

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const measured = sizes.join(',') === SIZES.usual ? SIZES.measured : sizes
  const turns: Turn[] = []
  const followers: (Versions | undefined)[] = []
  for (const servers of measured) {
    const pair = await stage.pair(servers)
    const versions = await Versions.follow(pair.ours.port)
    followers.push(versions)
    const [changing, same] = [true, false].map((isChange) => stage.file(JSON.stringify(announcesOf(pair, isChange))))
    const turn = (requests = '', factor = LONGER) => {
      const announces: Asked = { connections: 8, rate: CHANGES_A_SECOND, requests }
      const since = versions?.newest(BEHIND_MS)
      const deltas = since === undefined ? [] : [listRequest(sincePath(since), { 'Accept-Encoding': 'gzip' })]
      return stage.load.run(
        pair.ours,
        milliseconds * factor,
        announces,
        ...(deltas.length > 0 ? [{ connections: 2, rate: DELTAS_A_SECOND, requests: deltas }] : []),
      )
    }
    await turn(changing, 2)
    turns.push(
      () => turn(changing),
      () => turn(same),
    )
  }
  const result = await interleave(rounds, turns)
  for (const versions of followers) await versions?.stop()
  const cpu = (cost: Cost) => cost.cpuPercent
  console.log(
    `REFRESH: ${CHANGES_A_SECOND} announces a second, each of which changes something, and ${DELTAS_A_SECOND} deltas a second; beside it the same announces without a change. Others took up to ${percent(result.othersPercent)} of a core.`,
  )
  if (followers.includes(undefined)) console.log('Deltas are not answered: it is measured without them.')
  printTable([
    ['servers', 'CPU', `/ ${size(measured[0] ?? 0)}`, '', 'without changes', 'difference', 'Postgres', 'statuses'],
    ...measured.map((servers, at) => {
      const growth = result.ratio(2 * at, 0, cpu)
      const name = `refresh at ${CHANGES_A_SECOND} changes a second: CPU ${size(servers)} / ${size(measured[0] ?? 0)}`
      return [
        size(servers),
        percent(result.mean(2 * at, cpu)),
        times(growth),
        at === 0 ? '' : figures.atMost(name, growth, AIM, times),
        percent(result.mean(2 * at + 1, cpu)),
        percent(result.mean(2 * at, cpu) - result.mean(2 * at + 1, cpu)),
        percent(result.mean(2 * at, (cost) => cost.databasePercent)),
        statusesOf(result.of(2 * at).statuses),
      ]
    }),
  ])
}

/** Of as many servers in every size, spread over the whole list, so that each changes as often. */
function announcesOf({ ours: { fleet } }: Pair, isChange: boolean): string[] {
  const most = 1000
  const step = Math.max(1, Math.floor(fleet.length / most))
  const some = fleet.filter((_, index) => index % step === 0).slice(0, most)
  return [3, 5].flatMap((players) =>
    some.map(({ credential, profile }) => announceRequest(credential, announceBody(profile, isChange ? players : 5))),
  )
}
