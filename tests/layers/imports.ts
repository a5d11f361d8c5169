/** Lists every import of the sources, including type imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface Import {
  readonly from: string
  readonly to: string
}

const ROOT = join(import.meta.dirname, '../..')

/** Reads backend, contract, sdk and web, without tests. Paths are relative to the repository. */
export function allImports(): Import[] {
  const files = globSync('{backend,contract,sdk,web}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !/\.test\.tsx?$|^sdk\/dist\//.test(file),
  )
  return files.flatMap((from) => specifiersIn(from).flatMap((specifier) => resolve(from, specifier).map((to) => ({ from, to }))))
}

function specifiersIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} can't be parsed.`)
  const exported = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))
  // The parser gives only the range of the argument, including quotes.
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1))
  const types = [...text.matchAll(/import\('([^']+)'\)/g)].map(([, specifier = '']) => specifier)
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic, ...types]
}

/** The file in the repository; empty for a package. */
function resolve(from: string, specifier: string): string[] {
  if (specifier.startsWith('#')) return [specifier.slice(1)]
  return specifier.startsWith('.') ? [normalize(join(dirname(from), specifier))] : []
}
