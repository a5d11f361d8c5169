/** The trace of a request (W3C Trace Context, version 00): its ID is in the log lines that the request causes. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Version, trace ID, parent ID, flags. An ID of zeros is invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

const requests = new AsyncLocalStorage<IncomingMessage>()
/** Of requests that needed one. */
const traceparents = new WeakMap<IncomingMessage, string>()

/** Runs a function, and everything that it starts, as part of this request. */
export function runInRequest<T>(request: IncomingMessage, run: () => T): T {
  return requests.run(request, run)
}

/** The caller's header, or a new one if the caller sent none or an invalid one. Always the same for a request. */
function traceparentOf(request: IncomingMessage): string {
  const { traceparent: header } = request.headers
  const known = traceparents.get(request)
  if (known !== undefined) return known
  const isValid = typeof header === 'string' && TRACEPARENT.test(header)
  const made = isValid ? header : `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`
  traceparents.set(request, made)
  return made
}

/** To pass on to what the current request calls. Undefined outside of a request. */
export function currentTraceparent(): string | undefined {
  const request = requests.getStore()
  return request && traceparentOf(request)
}

/** The field of a log line. Made only for a line: most requests log nothing, and announces never do. */
export function traceFields(request = requests.getStore()): { readonly trace_id?: string } {
  return request === undefined ? {} : { trace_id: traceparentOf(request).slice(3, 35) }
}
