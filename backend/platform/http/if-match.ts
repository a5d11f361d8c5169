/** Conditional changes: `If-Match` names the version that a change is based on (RFC 9110, section 13.1.1). */
import { AppError, invalid } from '#backend/platform/errors.ts'
import { message } from '#backend/platform/messages/message.ts'

/** Fifteen digits are exact in a number. */
const VERSION = /^"(\d{1,15})"$/

/** The version in the header. Undefined without the header, and for `*`, which accepts every version. Throws `invalid` if it is malformed. */
export function parseIfMatch(header: string | undefined): number | undefined {
  const text = header?.trim()
  if (text === undefined || text === '*') return undefined
  const version = VERSION.exec(text)?.[1]
  if (version === undefined) throw invalid('IF_MATCH_MALFORMED')
  return Number(version)
}

/** The object has another version than the change is based on. */
export class VersionConflict extends AppError {
  /** What the rule would have returned without the change. */
  readonly unchanged: unknown
  /** The current object, as the endpoint replies. */
  current: unknown

  constructor(unchanged: unknown) {
    super('precondition-failed', [message('VERSION_CONFLICT')], { business: 'VERSION_CONFLICT' })
    this.unchanged = unchanged
  }
}

/**
 * Throws `VersionConflict` unless the change is based on the current version. Call it while the row is locked.
 * @param ifMatch undefined accepts every version.
 * @param unchanged what the rule would return without a change.
 */
export function rejectStaleVersion(ifMatch: number | undefined, version: number, unchanged: unknown): void {
  if (ifMatch !== undefined && ifMatch !== version) throw new VersionConflict(unchanged)
}

/** Replies with the result of a change. If its version is stale, the error gets the current object in the same form. */
export async function replyWith<R, T>(change: Promise<R>, show: (result: R) => T | Promise<T>): Promise<T> {
  try {
    return await show(await change)
  } catch (error) {
    if (error instanceof VersionConflict) error.current = await show(error.unchanged as R)
    throw error
  }
}
