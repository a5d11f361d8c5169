/**
 * `npm run check:words`: rejects the words below in code, comments, docs and panel text, and long lines in the docs.
 * CONTRIBUTING.md, "Words", says what to write instead.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const CHECKED = /\.(ts|tsx|css|html|md|sql|json|ya?ml|toml|svg)$|(^|\/)(Dockerfile|Caddyfile|\.env\.example|CODEOWNERS)$/

/** Catalogues in other languages. */
const TRANSLATED = /^messages\/\w+\/(?!en\.json$)/

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
}

/** A word or phrase of prose, in any case. */
const word = (source: string, instead: string): Ban => ({ pattern: new RegExp(`(?<![\\w-])(${source})(?![\\w-])`, 'gi'), instead })
/** A word, or a part of an identifier. */
const part = (source: string, instead: string): Ban => {
  const capitalized = source.charAt(0).toUpperCase() + source.slice(1)
  return { pattern: new RegExp(`(?<![A-Za-z])${source}|(?<=[a-z])${capitalized}`, 'g'), instead }
}
/** A whole identifier. */
const name = (source: string, instead: string): Ban => ({ pattern: new RegExp(`(?<![\\w$])(${source})(?![\\w$])`, 'g'), instead })

const EVERYWHERE: readonly Ban[] = [
  word('he|his|him|himself|she|hers|herself', 'they, the owner, the user, you'),
  word('somebody|whoever|whosoever|whomever', 'someone, anyone who, the user'),
  word("somebody else's", "another user's"),
  part('anew', 'again, reload, refresh, invalidate'),
  word('is told|are told|was told|were told|be told|told apart', 'is notified, receives, sees, distinguished'),
  word('lets? go of|lets go|bears|brings along|comes again|far too|stands for', 'a plain verb'),
  word('can not', 'cannot'),
  word('under way', 'running, in progress, in flight, pending'),
  word('whose time', 'expired'),
]

const IN_CODE: readonly Ban[] = [
  name('MOST_\\w+', 'MAX_'),
  name('tell[A-Z]\\w*', 'notify'),
  { pattern: /(?<![A-Za-z])refus(al|ed|e)[A-Z]?\w*(?=\()|\bRefus(al|ed)\w*/g, instead: 'reject, rejection' },
]

/** What is allowed, and why. At most 20 rows. */
const ALLOWED: readonly { readonly file: RegExp; readonly text?: RegExp; readonly why: string }[] = [
  { file: /^tests\/checks\/words\.ts$/, why: 'names the words' },
  { file: /^backend\/platform\/database\/migrations\/000[1-8]/, why: 'released migrations never change' },
  { file: /^contract\/text\/languages\.ts$/, text: / he hi ho /, why: 'the code of Hebrew' },
  { file: /^package-lock\.json$/, why: 'written by npm' },
]

const MAX_DOC_COLUMNS = 100

function bansFor(file: string): readonly Ban[] {
  return /\.(tsx?|sql)$/.test(file) ? [...EVERYWHERE, ...IN_CODE] : EVERYWHERE
}

const isAllowed = (file: string, line: string) => ALLOWED.some((row) => row.file.test(file) && (row.text?.test(line) ?? true))

function findingsIn(file: string): string[] {
  const found: string[] = []
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (isAllowed(file, line)) continue
    const place = `${file}:${index + 1}`
    for (const { pattern, instead } of bansFor(file))
      for (const match of line.matchAll(pattern)) found.push(`${place}: “${match[0]}”: write ${instead}`)
    if (file.endsWith('.md') && !line.startsWith('|') && line.length > MAX_DOC_COLUMNS)
      found.push(`${place}: ${line.length} columns; wrap at ${MAX_DOC_COLUMNS}`)
  }
  return found
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
const findings = files.filter((file) => CHECKED.test(file) && !TRANSLATED.test(file) && existsSync(file)).flatMap(findingsIn)
for (const finding of findings) process.stderr.write(`${finding}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
