import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../package.json')

/** What `npm start` gives to node: everything between it and the program. */
export function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ')
  const flags = words.slice(words.indexOf('node') + 1)
  return flags.slice(
    0,
    flags.findIndex((word) => !word.startsWith('-')),
  )
}
