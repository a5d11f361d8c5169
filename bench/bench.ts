/**
 * `npm run bench -- [part...] [--servers 1000,10000,30000] [--quick] [--rounds N] [--milliseconds N] [--with FILE] [--only NAME] [--keep FOLDER] [--minutes N]`:
 * runs the benchmarks of the master list, or the named ones. See docs/benchmarks.md.
 */
import { parseArgs } from 'node:util'
import { onStopSignal } from '#backend/platform/stop-signals.ts'
import { GENERATOR_CORE, loadAverage, pin } from './lib/cpu.ts'
import { type Run, TestBed } from './lib/test-bed.ts'
import { Figures } from './lib/table.ts'

interface Options extends Run {
  /** `peer`: the adapter file of the other list server. */
  readonly peer: string
  /** `admin`: a part of the query names, and the folder that keeps the databases. */
  readonly only?: string | undefined
  readonly keep?: string | undefined
  /** `soak`: the length of the run. */
  readonly minutes: number
}

type Part = (options: Options) => Promise<void>

/** The parts of a default run, in the order in which they run. */
const LIST: Readonly<Record<string, Part>> = {
  announce: async (options) => (await import('./announce.ts')).run(options),
  list: async (options) => (await import('./list.ts')).run(options),
  columns: async (options) => (await import('./columns.ts')).run(options),
  bytes: async (options) => (await import('./bytes.ts')).run(options),
  freshness: async (options) => (await import('./freshness.ts')).run(options),
  readers: async (options) => (await import('./readers.ts')).run(options),
  total: async (options) => (await import('./total.ts')).run(options),
  latency: async (options) => (await import('./latency.ts')).run(options),
  streams: async (options) => (await import('./streams.ts')).run(options),
  'slow-clients': async (options) => (await import('./slow-clients.ts')).run(options),
  refresh: async (options) => (await import('./refresh.ts')).run(options),
  restart: async (options) => (await import('./restart.ts')).run(options),
  memory: async (options) => (await import('./memory.ts')).run(options),
  public: async (options) => (await import('./public.ts')).run(options),
}
/** Parts that run only if named. */
const OTHERS: Readonly<Record<string, Part>> = {
  peer: async (options) => (await import('./peer.ts')).run(options),
  admin: async (options) => (await import('./admin.ts')).run(options),
  soak: async (options) => (await import('./soak.ts')).run(options),
  web: async () => (await import('./web.ts')).run(),
  'public-web': async () => (await import('./public-web.ts')).run(),
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
if (unknown.length > 0) fail(`Unknown benchmark: ${unknown.join(', ')}. Available: ${Object.keys(PARTS).join(', ')}.`)
// The order is fixed: `refresh` changes player counts that earlier parts rely on.
const names = positionals.length === 0 ? Object.keys(LIST) : Object.keys(PARTS).filter((name) => positionals.includes(name))
const sizes = values.servers.split(',').map(Number)
const rounds = Number(values.rounds ?? (values.quick ? 3 : 5))
const milliseconds = Number(values.milliseconds ?? (values.quick ? 400 : 1000))
const minutes = Number(values.minutes)
if ([...sizes, rounds, milliseconds, minutes].some((number) => !Number.isInteger(number) || number < 1))
  fail('--servers (comma-separated), --rounds, --milliseconds and --minutes must be whole numbers above 0.')
if (sizes.some((servers) => servers < 100 || servers > 100_000)) fail('--servers must be from 100 to 100000.')

// The client stays off the server's core.
pin(process.pid, GENERATOR_CORE)
const began = performance.now()
console.log(
  `Node ${process.versions.node}, load average before the run: ${loadAverage()}. CPU is user + system time of the server process. Ratios are medians of at least ${rounds} interleaved rounds of ${milliseconds} ms.\n`,
)
const testBed = new TestBed()
const figures = new Figures()
// Also stops the programs and removes the folders.
onStopSignal(() => void testBed.stop().finally(() => process.exit(1)))
for (const name of names) {
  const partBegan = performance.now()
  try {
    await PARTS[name]?.({
      sizes: sizes.toSorted((a, b) => a - b),
      rounds,
      milliseconds,
      testBed,
      figures,
      peer: values.with,
      only: values.only,
      keep: values.keep,
      minutes,
    })
  } catch (error) {
    // The remaining parts still run.
    console.error(`${name} failed:`, error)
    process.exitCode = 1
  }
  console.log(`(${name}: ${secondsSince(partBegan)} s)\n`)
}
await testBed.stop()
figures.print()
console.log(`\nTotal: ${secondsSince(began)} s.`)

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1000)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
