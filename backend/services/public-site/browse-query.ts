import { LRUCache } from 'lru-cache'
import { BrowseQuery } from '#contract/public-site/public-site.ts'
import { invalidInput } from '#backend/platform/errors.ts'
import { mustBeGivenOnce } from '#contract/text/messages.ts'

const MAX_CACHED_CHARACTERS = 300
/** Visitors repeat a few queries, so each is parsed once. */
const parsedQueries = new LRUCache<string, BrowseQuery>({ max: 500 })

/** Ignores unknown parameters and empty filters. Throws `invalid` for a wrong value, in the language of the caller. */
export function parseBrowseQuery(url: string): BrowseQuery {
  const cached = parsedQueries.get(url)
  if (cached !== undefined) return cached
  const query = parse(new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length)))
  if (url.length <= MAX_CACHED_CHARACTERS) parsedQueries.set(url, query)
  return query
}

function parse(parameters: URLSearchParams): BrowseQuery {
  const values: Record<string, string | string[]> = { tag: parameters.getAll('tag').filter((tag) => tag !== '') }
  for (const name of Object.keys(BrowseQuery.shape).filter((key) => key !== 'tag')) {
    const [value, ...more] = parameters.getAll(name).map((text) => text.trim())
    if (more.length > 0) throw invalidInput([mustBeGivenOnce(name)()])
    if (value !== undefined && (value !== '' || name === 'ids')) values[name] = value
  }
  const { data, error } = BrowseQuery.safeParse(values)
  if (data === undefined) throw invalidInput([...new Set(error.issues.map(({ message }) => message))])
  return data
}
