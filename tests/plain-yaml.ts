/** As much of YAML as compose.yaml is written in. What is not understood is an error, so that no line is passed over. */

export type Yaml = string | null | readonly Yaml[] | { readonly [key: string]: Yaml }
export type YamlMap = Readonly<Record<string, Yaml>>

interface Line {
  readonly indent: number
  readonly text: string
  readonly number: number
}

/** Maps, lists (also `[a, b]`), single quotes, `&name` of a map, and `<<: *name`. */
export function readPlainYaml(text: string): YamlMap {
  const lines = text
    .split('\n')
    .map((line, index) => ({ indent: line.search(/\S/), text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
  const reader = new Reader(lines)
  const read = reader.block(0)
  reader.expectEnd()
  return mapOf(read)
}

/** Of something that has to be a map. */
export function mapOf(value: Yaml | undefined): YamlMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`${JSON.stringify(value)} is not a map.`)
  return value as YamlMap
}

/** Of something that has to be a text. */
export function textOf(value: Yaml | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`${JSON.stringify(value)} is not a text.`)
  return value
}

/** Of something that has to be a list of texts. */
export function textsOf(value: Yaml | undefined): readonly string[] {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) throw new TypeError(`${JSON.stringify(value)} is no list.`)
  return value as readonly string[]
}

class Reader {
  readonly #lines: readonly Line[]
  readonly #named = new Map<string, YamlMap>()
  #at = 0

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  block(indent: number): Yaml {
    return this.#lines[this.#at]?.text.startsWith('- ') ? this.#list(indent) : this.#map(indent)
  }

  expectEnd(): void {
    const line = this.#lines[this.#at]
    if (line) throw new SyntaxError(`Line ${line.number} is not understood: ${line.text}`)
  }

  /** The next line, where it stands that far from the left. */
  #next(indent: number): Line | undefined {
    const line = this.#lines[this.#at]
    if (line?.indent !== indent) return undefined
    this.#at += 1
    return line
  }

  #list(indent: number): Yaml {
    const items: Yaml[] = []
    for (let line = this.#next(indent); line; line = this.#next(indent)) {
      const [, item] = /^- +(.+)$/.exec(line.text) ?? []
      if (item === undefined) throw new SyntaxError(`Line ${line.number} is no item of a list: ${line.text}`)
      const [, key, value] = /^(\w+): +(.+)$/.exec(item) ?? []
      items.push(key === undefined ? scalar(item, line) : { [key]: scalar(value ?? '', line) })
    }
    return items
  }

  #map(indent: number): YamlMap {
    const map: Record<string, Yaml> = {}
    // What was merged may be said otherwise, but nothing twice.
    const said = new Set<string>()
    for (let line = this.#next(indent); line; line = this.#next(indent)) {
      const [, key, value = ''] = /^([\w<-]+):(?: +(.+))?$/.exec(line.text) ?? []
      if (key === undefined) throw new SyntaxError(`Line ${line.number} is not understood: ${line.text}`)
      if (said.has(key)) throw new SyntaxError(`Line ${line.number} says ${key} again.`)
      said.add(key)
      if (key === '<<') Object.assign(map, this.#merged(value, line))
      else map[key] = this.#value(value, line)
    }
    return map
  }

  #merged(value: string, line: Line): YamlMap {
    const named = this.#named.get(/^\*(\w+)$/.exec(value)?.[1] ?? '')
    if (named === undefined) throw new SyntaxError(`Line ${line.number} names what was not named before: ${line.text}`)
    return named
  }

  #value(value: string, line: Line): Yaml {
    const [, name] = /^&(\w+)$/.exec(value) ?? []
    if (value !== '' && name === undefined) return scalar(value, line)
    const below = this.#lines[this.#at]
    if (below === undefined || below.indent <= line.indent) return null
    const read = this.block(below.indent)
    if (name !== undefined) this.#named.set(name, mapOf(read))
    return read
  }
}

function scalar(text: string, line: Line): Yaml {
  if (text.startsWith('[') && text.endsWith(']'))
    return text
      .slice(1, -1)
      .split(',')
      .map((part) => scalar(part.trim(), line))
  const [, quoted] = /^'([^']*)'$/.exec(text) ?? []
  if (quoted !== undefined) return quoted
  if (/^[-?:,[\]{}#&*!|>'"%@`](?:\s|$)|^[[\]{}#&*!|>'"%@`]|: | #|:$/.test(text))
    throw new SyntaxError(`Line ${line.number} is not understood: ${line.text}`)
  return text
}
