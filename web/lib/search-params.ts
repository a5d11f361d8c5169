/** The address's query as the backend reads one: every value is a text, and `name[0]=a&name[1]=b` is a list. */
const INDEXED = /^([^[\]]+)\[\d{0,3}\]$/

export type SearchParams = Record<string, string | string[]>

/** Reads a query, with or without its question mark. */
export function parseSearch(text: string): SearchParams {
  const params: SearchParams = Object.create(null) as SearchParams
  for (const [key, value] of new URLSearchParams(text)) {
    const name = INDEXED.exec(key)?.[1]
    if (name === undefined) {
      params[key] = value
      continue
    }
    const values = params[name]
    if (Array.isArray(values)) values.push(value)
    else params[name] = [value]
  }
  return params
}

/** Writes a query with its question mark; what is no value, or an empty list, is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (Array.isArray(value)) value.forEach((each, index) => params.append(`${name}[${index}]`, String(each)))
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') params.append(name, String(value))
  }
  // Only the names' brackets are told apart from a text's: those stay as people read them.
  const text = params.toString().replaceAll(/%5B(\d+)%5D=/g, '[$1]=')
  return text === '' ? '' : `?${text}`
}
