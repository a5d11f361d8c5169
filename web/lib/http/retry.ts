import { HttpError } from './call.ts'

/** When to retry a failed call. */

export const RETRY_DELAY_MS = 400

/** Retries once, and only if the backend failed. A 503 asks clients to wait, so it is not retried. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof HttpError && error.status >= 500 && error.status !== 503
}

/** The same rule outside the query client. Throws the first error if the second is a 4xx. */
export async function withRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (first) {
    if (!shouldRetry(0, first)) throw first
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_DELAY_MS)
    })
    return await attempt().catch((second: unknown) => {
      throw second instanceof HttpError && second.status < 500 ? first : second
    })
  }
}
