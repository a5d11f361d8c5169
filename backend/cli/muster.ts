/** The command line: `node backend/cli/muster.ts <command>`. Commands are imported lazily, so that help is instant. */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { GENERAL_HELP, helpOf } from './help.ts'
import { COMPILE_CACHE } from './runtime-options.ts'
import { ARGUMENTS } from '#backend/platform/end-with-npm.ts'

const MIN_NODE_VERSION = 24

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < MIN_NODE_VERSION) {
    throw new Error(
      `Muster needs Node ${MIN_NODE_VERSION}; this is ${process.versions.node}. npm installs the right version: use "npm start", and do not install with --omit=optional.`,
    )
  }
  loadEnvFile()
  enableCompileCache(COMPILE_CACHE)
  const [command, ...args] = ARGUMENTS
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(helpOf(command))
    return
  }
  if ([command, ...args].includes('--version')) {
    process.stdout.write(`${(await import('#backend/platform/version.ts')).RELEASE}\n`)
    return
  }
  switch (command) {
    case 'serve':
      await (await import('#backend/main.ts')).serve()
      // Otherwise Node writes the cache at exit, which a killed process never reaches.
      return flushCompileCache()
    case 'dev':
      return (await import('./dev.ts')).dev()
    case 'migrate':
      return (await import('./database.ts')).migrate()
    case 'doctor':
      return (await import('./doctor.ts')).doctor(args)
    case 'announce':
      return (await import('./announce.ts')).announce(args)
    case 'simulate':
      return (await import('./simulate.ts')).simulate(args)
    case 'demo':
      return (await import('./demo.ts')).demo(args)
    case 'admin':
      return (await import('./database.ts')).admin(parseArgs({ args, allowPositionals: true }).positionals)
    case 'users':
      return (await import('./users.ts')).users(parseArgs({ args, allowPositionals: true }).positionals)
    case 'protection':
      return (await import('./protection.ts')).protection(args)
    case 'help':
    case '--help':
    case '-h':
    case undefined:
      process.stdout.write(GENERAL_HELP)
      return
    default:
      throw new Error(`Unknown command “${command}”.\n\n${GENERAL_HELP}`)
  }
}

/** Variables of the environment override those in `.env`. */
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

/** One readable sentence, with a stack trace only for unexpected errors. */
function messageOf(error: Error): string {
  const isUsageError = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  if (isUsageError) return `${error.message}\n\n${helpOf(ARGUMENTS[0])}`
  const isExpected =
    error.constructor === Error || ['EnvError', 'DatabaseUnusable', 'FolderInUse', 'OlderNodesError', 'AppError'].includes(error.name)
  const cause = causeOf(error)
  return isExpected ? `${error.message}${cause === undefined ? '' : `\nCause: ${cause}`}` : (error.stack ?? error.message)
}

/** Undefined for an unavailable port, because the message already names it. */
function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error) || ('syscall' in cause && cause.syscall === 'listen')) return undefined
  return cause instanceof AggregateError ? cause.errors.map(String).join('; ') : cause.message
}
