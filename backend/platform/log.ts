/** The logger. Secrets are redacted by field name. */
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { failureKind } from '#backend/platform/database/failure.ts'
import { traceFields } from './trace.ts'

export type Log = Logger

// Not `code`: operators need it in errors, and the `code` of a sign-in is in a body, which is never logged.
const SECRETS = ['authorization', 'cookie', 'credential', 'token', 'body', 'code_verifier', 'client_secret']
const PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers["${name}"]`, `headers["set-${name}"]`])

/** Writes JSON lines, by default to standard error. Never throws. @param level one of pino's. */
export function createLog(level: string, { nodeId, destination }: { nodeId?: string; destination?: DestinationStream } = {}): Log {
  const standardError = destination === undefined ? new StandardError() : undefined
  const log = pino(
    {
      level,
      base: { host: hostname(), ...(nodeId !== undefined && { node_id: nodeId }) },
      serializers: { err: serializeError },
      mixin: () => traceFields(),
      redact: { paths: PATHS, censor: '[secret]' },
    },
    destination ?? standardError,
  )
  if (standardError !== undefined) standardError.onRecovered = (lost) => log.warn({ lost_lines: lost }, 'log lines were lost')
  return log
}

let lostLines = 0

/** How many lines this process could not write. */
export const countLostLogLines = () => lostLines

/** Writes synchronously, so that no line is lost in a crash. A failed line (full disk, broken pipe) is counted and dropped. */
class StandardError implements DestinationStream {
  #lostInARow = 0
  /** The last line was written in part, so the next one starts with a line break. */
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

/** Drops an error's own objects: those of the database driver include the whole connection. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    code: (error as { code?: unknown }).code,
    // An outage fails every call in the same way: only `DatabaseHealth` logs a stack, once.
    ...(failureKind(error) === undefined && { stack }),
    ...(cause !== undefined && { cause: serializeError(cause) }),
  }
}
