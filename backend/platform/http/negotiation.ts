/** Weights of `Accept-…` headers, Accept-Encoding and If-None-Match (RFC 9110 sections 12.4.2, 12.5.3 and 13.1.2). */

export type Encoding = 'br' | 'gzip' | 'identity'

/** Smallest output first: it wins if the client accepts several equally. */
const SUPPORTED: readonly Encoding[] = ['br', 'gzip', 'identity']
/** Longer than what browsers send. The rest is ignored, because parsing it would cost more than the rejection of a request. */
const MAX_CHARACTERS = 300

export function encodingFor(header = ''): Encoding {
  const weights = weightsOf(header.replaceAll(/x-gzip/gi, 'gzip'))
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? (name === 'identity' ? 0.0001 : 0)
  const best = SUPPORTED.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? 'identity'
  // A client that rejects every encoding gets the plain body.
  return weightOf(best) > 0 ? best : 'identity'
}

/** The values of an `Accept-…` header in lower case, each with its weight. */
export function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.slice(0, MAX_CHARACTERS).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const weight = q === undefined ? 1 : Number(q.slice(q.indexOf('=') + 1))
    weights.set(name, Number.isNaN(weight) ? 0 : weight)
  }
  return weights
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const bare = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare)
}
