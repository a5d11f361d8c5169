import { BrowseQuery } from '#contract/public-site/public-site.ts'
import { invalidInput } from '#backend/platform/errors.ts'
import { mustBeGivenOnce } from '#contract/text/messages.ts'

/** Ignores unknown parameters and empty filters. Throws `invalid` for a wrong value, in the language of the caller. */
export function parseBrowseQuery(url: string): BrowseQuery {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
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
