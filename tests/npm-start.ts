/** What `npm start` gives to the program, for whoever starts it otherwise. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../package.json')

function startWords(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ')
}

/** What `npm start` gives to node: everything between it and the program. */
export function startFlags(): string[] {
  const words = startWords()
  const flags = words.slice(words.indexOf('node') + 1)
  return flags.slice(
    0,
    flags.findIndex((word) => !word.startsWith('-')),
  )
}

/** The variables that it sets: `NAME=value` before node. */
export function startVariables(): Record<string, string> {
  const words = startWords()
  const named = words.slice(0, words.indexOf('node')).filter((word) => word.includes('='))
  return Object.fromEntries(named.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]))
}
