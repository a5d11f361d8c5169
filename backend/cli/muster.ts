/** The command line: `node backend/cli/muster.ts <command>`. Commands load what they need, so that help is instant. */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const HELP = `Usage: npm run muster -- <command>

  serve                          start the panel and the master list
  dev                            the same with live reload
  migrate                        bring the database up to date and end
  simulate [--help]              a fleet of game servers that announce to a running Muster
  admin grant|revoke DISCORD_ID  make somebody an administrator, or no longer
  protection try KIND [--days N] what a check would find in what is stored; writes nothing
`

const OLDEST_NODE = 24
/** The compile cache: compiling is a third of a start. A folder that can't be written is ignored. */
const COMPILED = join(import.meta.dirname, '../../.cache/compiled')

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Error(
      `Muster needs Node ${OLDEST_NODE}; this is ${process.versions.node}. npm brings the right one along: use "npm start", or install without --omit=optional.`,
    )
  }
  loadEnvFile()
  enableCompileCache(COMPILED)
  const [command, ...args] = process.argv.slice(2)
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(command === 'simulate' ? (await import('./simulate.ts')).SIMULATE_HELP : HELP)
    return
  }
  switch (command) {
    case 'serve':
      await (await import('#backend/main.ts')).serve()
      // Otherwise it is written at the end, which a killed program never reaches.
      return flushCompileCache()
    case 'dev':
      return (await import('./dev.ts')).dev()
    case 'migrate':
      return (await import('./database.ts')).migrate()
    case 'simulate':
      return (await import('./simulate.ts')).simulate(args)
    case 'admin':
      return (await import('./database.ts')).admin(parseArgs({ args, allowPositionals: true }).positionals)
    case 'protection':
      return (await import('./protection.ts')).protection(args)
    case 'help':
    case '--help':
    case '-h':
    case undefined:
      process.stdout.write(HELP)
      return
    default:
      throw new Error(`There is no command “${command}”.\n\n${HELP}`)
  }
}

/** Variables in `.env` count where the environment does not set them. */
function loadEnvFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? messageOf(error) : String(error)}\n`)
  process.exitCode = 1
})

/** A sentence for people; the stack only for an unexpected failure. */
function messageOf(error: Error): string {
  const isUnread = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  if (isUnread) return `${error.message}\n\n${HELP}`
  const isForeseen = error.constructor === Error || ['EnvError', 'FolderInUse', 'OlderNodesError', 'AppError'].includes(error.name)
  const cause = causeOf(error)
  return isForeseen ? `${error.message}${cause === undefined ? '' : `\nCause: ${cause}`}` : (error.stack ?? error.message)
}

/** Undefined for a port that can't be listened on, which the sentence has named. */
function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error) || ('syscall' in cause && cause.syscall === 'listen')) return undefined
  return cause instanceof AggregateError ? cause.errors.map(String).join('; ') : cause.message
}
