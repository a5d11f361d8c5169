/** The length of an example. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const EXAMPLES_FOLDER = join(import.meta.dirname, '../../examples')

/** Lines without blanks, comments and imports. @param file such as `python/announce.py` */
export function codeLines(file: string): number {
  const isOther =
    /^\s*($|\/\/|\/\*|#(?!\[)|--|<!--|\*|<\?|"""|import |from |use |using \w+(\.\w+)*;|package |"[a-z/]+"$|\)$|declare\(|local \w+ = require)/
  return readFileSync(join(EXAMPLES_FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => !isOther.test(line)).length
}
