/** Query strings as the panel's clients write them: `name[0]=a&name[1]=b` is a list (contract section 2). */
const INDEXED = /^([^[\]]+)\[(\d{0,3})\]$/
/** No filter has more values; the rest is dropped, so that a query can't grow a list at will. */
const MOST_VALUES = 50

export function parseQueryString(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [key, value] of new URLSearchParams(text)) {
    const name = INDEXED.exec(key)?.[1]
    if (name === undefined) {
      query[key] = value
      continue
    }
    const values = query[name]
    if (!Array.isArray(values)) query[name] = [value]
    else if (values.length < MOST_VALUES) values.push(value)
  }
  return query
}
