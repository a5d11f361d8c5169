import { failureOf } from '#backend/cli/request-failure.ts'

const TIMEOUT_MS = 3000

/** A reply, or why there is none. */
export type Fetched =
  | { readonly status: number; readonly headers: Headers; readonly json: unknown; readonly text: string }
  | { readonly failure: string }

/** Never rejects. Follows no redirects, because most callers of the address don't either. */
export async function fetchJson(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> {
  try {
    const response = await fetch(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
