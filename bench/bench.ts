/**
 * `npm run bench -- [part...] [--servers 1000,10000,30000] [--rounds N] [--milliseconds N]`: runs the benchmarks, or the named ones.
 * See docs/benchmarks.md.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { onStopSignal } from '#backend/platform/stop-signals.ts'
import { GENERATOR_CORE, pin } from './lib/cpu.ts'
import { Figures } from './lib/table.ts'
import { type Run, TestBed } from './lib/test-bed.ts'

/** In the order in which they run. */
const PARTS: Readonly<Record<string, (run: Run) => Promise<void>>> = {
  announce: async (run) => (await import('./announce.ts')).run(run),
  list: async (run) => (await import('./list.ts')).run(run),
  total: async (run) => (await import('./total.ts')).run(run),
  signed: async (run) => (await import('./signed.ts')).run(run),
  endpoints: async (run) => (await import('./endpoints.ts')).run(run),
  memory: async (run) => (await import('./memory.ts')).run(run),
  public: async (run) => (await import('./public.ts')).run(run),
  backup: async (run) => (await import('./backup.ts')).run(run),
  webhooks: async (run) => (await import('./webhooks.ts')).run(run),
  panel: async (run) => (await import('./panel.ts')).run(run),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    servers: { type: 'string', default: '1000,10000,30000' },
    rounds: { type: 'string', default: '7' },
    milliseconds: { type: 'string', default: '1000' },
  },
})

const unknown = positionals.filter((name) => PARTS[name] === undefined)
if (unknown.length > 0) fail(`Unknown benchmark: ${unknown.join(', ')}. Available: ${Object.keys(PARTS).join(', ')}.`)
const names = Object.keys(PARTS).filter((name) => positionals.length === 0 || positionals.includes(name))
const sizes = values.servers.split(',').map(Number)
const [rounds, milliseconds] = [Number(values.rounds), Number(values.milliseconds)]
if ([...sizes, rounds, milliseconds].some((number) => !Number.isInteger(number) || number < 1))
  fail('--servers (comma-separated), --rounds and --milliseconds must be whole numbers above 0.')
if (sizes.some((servers) => servers < 100 || servers > 100_000)) fail('--servers must be from 100 to 100000.')

// The client stays off the server's core.
pin(process.pid, GENERATOR_CORE)
const began = performance.now()
console.log(
  `Node ${process.versions.node}, load average before the run: ${loadavg()[0]?.toFixed(1)}. CPU is user + system time of the server process. Ratios are medians of ${rounds} interleaved rounds of ${milliseconds} ms.\n`,
)
const testBed = new TestBed()
const figures = new Figures()
// Also stops the programs and removes the folders.
onStopSignal(() => {
  testBed.stop()
  process.exit(1)
})
for (const name of names) {
  const partBegan = performance.now()
  try {
    await PARTS[name]?.({ sizes: sizes.toSorted((a, b) => a - b), rounds, milliseconds, testBed, figures })
  } catch (error) {
    // The remaining parts still run.
    console.error(`${name} failed:`, error)
    process.exitCode = 1
  }
  console.log(`(${name}: ${secondsSince(partBegan)} s)\n`)
}
testBed.stop()
figures.print()
console.log(`\nTotal: ${secondsSince(began)} s.`)

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1000)
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
