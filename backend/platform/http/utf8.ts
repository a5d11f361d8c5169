import { invalid } from '#backend/platform/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Drops a byte order mark. Throws `invalid` for bytes that are not UTF-8, instead of replacing them. */
export function decodeUtf8(body: Uint8Array): string {
  try {
    return decoder.decode(body)
  } catch {
    throw invalid('BODY_NOT_UTF8')
  }
}
