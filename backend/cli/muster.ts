/** The command line: `node backend/cli/muster.ts <command>`. Commands are imported lazily, so that help is instant. */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { GENERAL_HELP, helpOf } from './help.ts'
import { COMPILE_CACHE } from './runtime-options.ts'
import { ARGUMENTS } from '#backend/platform/end-with-npm.ts'

const MIN_NODE_VERSION = 24

/** Each with its arguments. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<unknown>>> = {
  serve: async () => {
    await (await import('#backend/main.ts')).serve()
    // Otherwise Node writes the cache at exit, which a killed process never reaches.
    flushCompileCache()
  },
  dev: async () => (await import('./dev.ts')).dev(),
  migrate: async () => (await import('./database.ts')).migrate(),
  backup: async (args) => (await import('./backup.ts')).backup(args),
  restore: async (args) => (await import('./backup.ts')).restore(args),
  doctor: async (args) => (await import('./doctor.ts')).doctor(args),
  announce: async (args) => (await import('./announce.ts')).announce(args),
  simulate: async (args) => (await import('./simulate.ts')).simulate(args),
  demo: async (args) => (await import('./demo.ts')).demo(args),
  admin: async (args) => (await import('./database.ts')).admin(parseArgs({ args: [...args], allowPositionals: true }).positionals),
  users: async (args) => (await import('./users.ts')).users(parseArgs({ args: [...args], allowPositionals: true }).positionals),
  protection: async (args) => (await import('./protection.ts')).protection(args),
  keys: async (args) => (await import('./keys.ts')).keys(args),
  mirror: async (args) => (await import('./mirror.ts')).mirror(args),
}

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
  if (command === undefined || ['help', '--help', '-h'].includes(command)) process.stdout.write(GENERAL_HELP)
  else if (Object.hasOwn(COMMANDS, command)) await COMMANDS[command]?.(args)
  else throw new Error(`Unknown command “${command}”.\n\n${GENERAL_HELP}`)
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
    error.constructor === Error ||
    ['EnvError', 'DatabaseUnusable', 'FolderInUse', 'OlderNodesError', 'AppError', 'UnusableArchive'].includes(error.name)
  const cause = causeOf(error)
  return isExpected ? `${error.message}${cause === undefined ? '' : `\nCause: ${cause}`}` : (error.stack ?? error.message)
}

/** Undefined for an unavailable port, because the message already names it. */
function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error) || ('syscall' in cause && cause.syscall === 'listen')) return undefined
  return cause instanceof AggregateError ? cause.errors.map(String).join('; ') : cause.message
}
