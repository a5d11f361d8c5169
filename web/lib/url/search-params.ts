/** Search params in the backend's format: strings, and lists as `name[0]=a&name[1]=b`. */
const INDEXED = /^([^[\]]+)\[\d{0,3}\]$/

type SearchParams = Record<string, string | string[]>

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

/** Includes the question mark. Omits undefined, null and empty lists. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (Array.isArray(value)) value.forEach((item, index) => params.append(`${name}[${index}]`, String(item)))
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') params.append(name, String(value))
  }
  // Decodes the brackets of names for readability, but not those of values.
  const text = params.toString().replaceAll(/%5B(\d+)%5D=/g, '[$1]=')
  return text === '' ? '' : `?${text}`
}
