/** `npm run bench -- [what...] [--servers N] [--rounds N] [--milliseconds N] [--only part] [--keep folder]`: each benchmark by its name, or all of them. */
import { parseArgs } from 'node:util'
import { loadOfOthers } from './lib/cpu.ts'

interface Options {
  readonly servers: number
  readonly rounds: number
  readonly milliseconds: number
  /** Of `admin`: only what has this in its name. */
  readonly only?: string | undefined
  /** Of `admin`: where its databases stay. */
  readonly keep?: string | undefined
}

const BENCHES: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  admin: async (options) => (await import('./admin.ts')).run(options),
  announce: async (options) => (await import('./announce.ts')).run(options),
  list: async (options) => (await import('./list.ts')).run(options),
  web: async () => (await import('./web.ts')).run(),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    servers: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '2000' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
})

const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals
const unknown = names.filter((name) => BENCHES[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(1)
}
const numbers = { servers: Number(values.servers), rounds: Number(values.rounds), milliseconds: Number(values.milliseconds) }
if (Object.values(numbers).some((number) => !Number.isInteger(number) || number < 1)) {
  console.error('--servers, --rounds and --milliseconds must be whole numbers above 0.')
  process.exit(1)
}
console.log(
  `Node ${process.versions.node}, load of the machine before: ${loadOfOthers()}. CPU is user + system of the server process; ratios are medians of ${numbers.rounds} interleaved rounds.\n`,
)
for (const name of names) {
  await BENCHES[name]?.({ ...numbers, only: values.only, keep: values.keep })
  console.log('')
}
