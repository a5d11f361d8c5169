/** One logger for the program. Secrets are taken out by name, wherever they stand in what is logged. */
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

// `code` and `state` of a sign-in travel in bodies, which are never logged; an error's `code` is what an operator needs.
const SECRETS = ['authorization', 'cookie', 'credential', 'token', 'body', 'code_verifier', 'client_secret']
const PATHS = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers["${name}"]`, `headers["set-${name}"]`])

/** @param level pino's level names; `silent` writes nothing. Lines are JSON on standard error unless told otherwise: standard output is for people. */
export function createLog(level: string, destination: DestinationStream = pino.destination({ dest: 2, sync: true })): Log {
  return pino({ level, base: null, serializers: { err: brief }, redact: { paths: PATHS, censor: '[secret]' } }, destination)
}

/** What an error says, without the objects that hang on it: a driver's holds the whole connection. */
function brief(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return { name, message, code: (error as { code?: unknown }).code, stack, ...(cause !== undefined && { cause: brief(cause) }) }
}
