/**
 * `npm run bench -- [part...] [--servers 1000,10000,30000] [--quick] [--rounds N] [--milliseconds N] [--with FILE] [--only NAME] [--keep FOLDER] [--minutes N]`:
 * the master list's parts, or those that are named. How to read them: docs/benchmarks.md.
 */
import { parseArgs } from 'node:util'
import { onStopSignal } from '#backend/platform/stop-signals.ts'
import { GENERATOR_CORE, loadOfMachine, pin } from './lib/cpu.ts'
import { type Run, Stage } from './lib/stage.ts'
import { Figures } from './lib/table.ts'

interface Options extends Run {
  /** Of `peer`: the file of the other list server's adapter. */
  readonly peer: string
  /** Of `admin`: only what has this in its name, and where its databases stay. */
  readonly only?: string | undefined
  readonly keep?: string | undefined
  /** Of `soak`. */
  readonly minutes: number
}

type Part = (options: Options) => Promise<void>

/** Of the master list, in the order in which they are played. */
const LIST: Readonly<Record<string, Part>> = {
  announce: async (options) => (await import('./announce.ts')).run(options),
  list: async (options) => (await import('./list.ts')).run(options),
  columns: async (options) => (await import('./columns.ts')).run(options),
  bytes: async (options) => (await import('./bytes.ts')).run(options),
  freshness: async (options) => (await import('./freshness.ts')).run(options),
  readers: async (options) => (await import('./readers.ts')).run(options),
  total: async (options) => (await import('./total.ts')).run(options),
  held: async (options) => (await import('./held.ts')).run(options),
  streams: async (options) => (await import('./streams.ts')).run(options),
  slow: async (options) => (await import('./slow.ts')).run(options),
  refresh: async (options) => (await import('./refresh.ts')).run(options),
  restart: async (options) => (await import('./restart.ts')).run(options),
  memory: async (options) => (await import('./memory.ts')).run(options),
  history: async (options) => (await import('./history.ts')).run(options),
}
/** Only when they are named. */
const OTHERS: Readonly<Record<string, Part>> = {
  peer: async (options) => (await import('./peer.ts')).run(options),
  admin: async (options) => (await import('./admin.ts')).run(options),
  soak: async (options) => (await import('./soak.ts')).run(options),
  web: async () => (await import('./web.ts')).run(),
}
const PARTS = { ...LIST, ...OTHERS }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    servers: { type: 'string', default: '1000,10000,30000' },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    milliseconds: { type: 'string' },
    with: { type: 'string', default: 'bench/peers/naive.ts' },
    only: { type: 'string' },
    keep: { type: 'string' },
    minutes: { type: 'string', default: '60' },
  },
})

const unknown = positionals.filter((name) => PARTS[name] === undefined)
if (unknown.length > 0) fail(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`)
// Always in this order: `refresh` leaves other players behind than the parts before it count on.
const names = positionals.length === 0 ? Object.keys(LIST) : Object.keys(PARTS).filter((name) => positionals.includes(name))
const sizes = values.servers.split(',').map(Number)
const rounds = Number(values.rounds ?? (values.quick ? 3 : 5))
const milliseconds = Number(values.milliseconds ?? (values.quick ? 400 : 1000))
const minutes = Number(values.minutes)
if ([...sizes, rounds, milliseconds, minutes].some((number) => !Number.isInteger(number) || number < 1))
  fail('--servers (numbers with commas between them), --rounds, --milliseconds and --minutes must be whole numbers above 0.')
if (sizes.some((servers) => servers < 100 || servers > 100_000)) fail('--servers must be from 100 to 100000.')

// The client stays off the server's core.
pin(process.pid, GENERATOR_CORE)
const began = performance.now()
console.log(
  `Node ${process.versions.node}, load of the machine before: ${loadOfMachine()}. CPU is user + system of the server's process; ratios are medians of at least ${rounds} interleaved rounds of ${milliseconds} ms.\n`,
)
const stage = new Stage()
const figures = new Figures()
// Its programs and folders go with it.
onStopSignal(() => void stage.stop().finally(() => process.exit(1)))
for (const name of names) {
  const partBegan = performance.now()
  try {
    await PARTS[name]?.({
      sizes: sizes.toSorted((a, b) => a - b),
      rounds,
      milliseconds,
      stage,
      figures,
      peer: values.with,
      only: values.only,
      keep: values.keep,
      minutes,
    })
  } catch (error) {
    // The other parts have their figures nevertheless.
    console.error(`${name} could not be measured:`, error)
    process.exitCode = 1
  }
  console.log(`(${name}: ${secondsSince(partBegan)} s)\n`)
}
await stage.stop()
figures.print()
console.log(`\n${secondsSince(began)} s in all.`)

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1000)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
