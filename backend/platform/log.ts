/** The program's logger. Secrets are redacted by name. */
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { failureKind } from '#backend/platform/database/failure.ts'

export type Log = Logger

// Not `code` and `state` of a sign-in: they travel in bodies, which are never logged, and operators need an error's `code`.
const SECRETS = ['authorization', 'cookie', 'credential', 'token', 'body', 'code_verifier', 'client_secret']
const PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers["${name}"]`, `headers["set-${name}"]`])

/** Writes JSON lines and never throws; to standard error by default, as standard output is for people. @param level one of pino's. */
export function createLog(level: string, { nodeId, destination }: { nodeId?: string; destination?: DestinationStream } = {}): Log {
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

/** Lines that this process could not write. */
export const countLostLogLines = () => lostLines

/** Writes line by line, so that the last line before a crash is there. A line that fails (full disk, broken pipe) is counted and dropped. */
class StandardError implements DestinationStream {
  #lostInARow = 0
  /** The last line was written in part, so the next one begins with a line break. */
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

/** An error without its objects: a driver's holds the whole connection. */
function brief(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    code: (error as { code?: unknown }).code,
    // An outage fails every call in the same way; `Pulse` logs its first failure with the stack.
    ...(failureKind(error) === undefined && { stack }),
    ...(cause !== undefined && { cause: brief(cause) }),
  }
}
