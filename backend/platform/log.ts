/** One logger for the program. Secrets are taken out by name, wherever they stand in what is logged. */
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { failureKind } from '#backend/platform/database/failure.ts'

export type Log = Logger

// `code` and `state` of a sign-in travel in bodies, which are never logged; an error's `code` is what an operator needs.
const SECRETS = ['authorization', 'cookie', 'credential', 'token', 'body', 'code_verifier', 'client_secret']
const PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers["${name}"]`, `headers["set-${name}"]`])

interface LogOptions {
  /** Names this process among the nodes on one database. */
  readonly nodeId?: string | undefined
  /** Standard error unless told otherwise: standard output is for people. */
  readonly destination?: DestinationStream
}

/** Lines are JSON. Logging never throws, whatever becomes of standard error. @param level pino's level names; `silent` writes nothing. */
export function createLog(level: string, { nodeId, destination }: LogOptions = {}): Log {
  const standardError = destination === undefined ? new StandardError() : undefined
  const log = pino(
    {
      level,
      base: { host: hostname(), ...(nodeId !== undefined && { node_id: nodeId }) },
      serializers: { err: brief },
      redact: { paths: PATHS, censor: '[secret]' },
    },
    destination ?? standardError,
  )
  if (standardError !== undefined) standardError.onRecovered = (lost) => log.warn({ lost_lines: lost }, 'log lines were lost')
  return log
}

let lostLines = 0

/** Lines of this process that could not be written, since its start. */
export const lostLogLines = () => lostLines

/**
 * Standard error, written line by line so that the last line before a crash is there. A line that can't be written (a full disk, a pipe that
 * nobody reads) is counted and dropped.
 */
class StandardError implements DestinationStream {
  #lostInARow = 0
  /** A line was cut off in its middle; the next one begins on a line of its own. */
  #isCutOff = false
  onRecovered: (lost: number) => void = () => undefined

  write(line: string): void {
    try {
      const bytes = Buffer.from(this.#isCutOff ? `\n${line}` : line)
      const written = writeSync(2, bytes)
      this.#isCutOff = written < bytes.length
      if (this.#isCutOff) throw new Error('The line was cut off.')
    } catch {
      lostLines += 1
      this.#lostInARow += 1
      return
    }
    const lost = this.#lostInARow
    this.#lostInARow = 0
    if (lost > 0) this.onRecovered(lost)
  }
}

/** What an error says, without the objects that hang on it: a driver's holds the whole connection. */
function brief(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    code: (error as { code?: unknown }).code,
    // An outage fails every call in the same way. Its first failure is logged with the stack, in database/open.ts.
    ...(failureKind(error) === undefined && { stack }),
    ...(cause !== undefined && { cause: brief(cause) }),
  }
}
