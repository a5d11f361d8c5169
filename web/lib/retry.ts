/** When to retry a failed call (product.md section 9). */
import { HttpError } from './http-error.ts'

export const RETRY_DELAY_MS = 400

/** Only if the backend failed and did not ask for a pause. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof HttpError && error.status >= 500 && error.status !== 503
}

/** The same outside of the query client. Throws the first error if the second one is a rejection. */
export async function withRetry<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (first) {
    if (!shouldRetry(0, first)) throw first
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_DELAY_MS)
    })
    return await act().catch((second: unknown) => {
      throw second instanceof HttpError && second.status < 500 ? first : second
    })
  }
}
