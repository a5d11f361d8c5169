import { HttpError } from './http/call.ts'

/** The current object, if the error rejects a change that is based on an older version. Its type is that of the call's reply. */
export function currentOf(error: unknown): unknown {
  if (!(error instanceof HttpError) || error.businessStatus !== 'VERSION_CONFLICT') return undefined
  return (error.body as { current?: unknown }).current
}
