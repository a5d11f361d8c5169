/** Part of `npm run check:text`: every text of the panel comes from messages/panel/en.json, whose keys are used. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const ROOT = join(import.meta.dirname, '../..')
const CATALOGUE = 'messages/panel/en.json'

/** Texts that are the same in every language. */
const ALLOWED: ReadonlySet<string> = new Set(
  [
    // Names of products, keys and error classes.
    ['Muster', 'Docker', 'Java', 'Go', 'Lua', 'Python', 'Rust', 'Shell', 'JavaScript / TypeScript'],
    ['Windows', 'Linux', 'Macintosh', 'Android', 'PowerShell', 'SHA-256', 'Ctrl', 'K', 'Enter', 'Esc'],
    ['Error', 'NotFoundError', 'ConnectionError', 'HttpError'],
    // Each language's own name.
    ['English', 'Deutsch', 'Français', 'Español', 'Português (Brasil)', 'Русский', 'Polski', 'Türkçe'],
    // Titles and times of public pages.
    ['· Muster', 'UTC'],
    // Reports for maintainers.
    ['Status:', 'Message:', 'Time:', 'Request:', 'Failed to fetch'],
    // Code.
    [
      'color-mix(in srgb,',
      '%, transparent)',
      'curl -fLo',
      'curl -X POST',
      'curl -H "Authorization: Bearer $MUSTER_API_KEY"',
      "-H 'Authorization: Bearer",
      'DOWNLOADS_MANIFEST',
      'docs/downloads.sample.json',
      'docs/operating.md',
    ],
  ].flat(),
)

/** Attributes and properties whose strings are code. */
const CODE_KEYS = new Set([
  'className',
  'class',
  'style',
  'key',
  'id',
  'to',
  'from',
  'href',
  'type',
  'role',
  'd',
  'viewBox',
  'queryKey',
  'rel',
  '@type',
])
/** Functions whose string arguments are code. */
const CODE_CALLS = new Set([
  'lazyRouteComponent',
  'page',
  'userPage',
  'cx',
  'call',
  'querySelector',
  'querySelectorAll',
  'matchMedia',
  'addEventListener',
  'import',
  'URL',
])

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'MemberExpression') return nameOf(node['property'])
  const name = node['name'] ?? node['value']
  return typeof name === 'string' ? name : ''
}

/** Types, imports, and the places where a string is code. */
function isCode(node: Node): boolean {
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^(Import|Export(All|Named))Declaration$/.test(node.type)) {
    return node.type !== 'ExportNamedDeclaration'
  }
  if (node.type === 'JSXAttribute') return CODE_KEYS.has(nameOf(node['name']))
  if (node.type === 'Property') return CODE_KEYS.has(nameOf(node['key']))
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return CODE_CALLS.has(nameOf(node['callee']))
  return node.type === 'BinaryExpression' && /^[!=]==$/.test(String(node['operator']))
}

const WORD = /\p{L}{2}/u
/** Starts like a sentence or a label, or has words between spaces. */
const TEXT = /^\s*\p{Lu}[\p{Ll}’]|(^|\s)\p{Ll}[\p{Ll}’]+[,.…:]?\s+[\p{L}’]+.*[.…?!]$/u
/** A word next to a space, in a template. */
const FRAGMENT = /^[\s,.:;·(]*\p{L}[\p{L}’]+[,:]?\s|\s[\p{L}’]{2,}[,.:)]*\s*$/u

function textsIn(node: Node, found: { start: number; text: string }[], inMarkup: boolean): void {
  if (isCode(node)) return
  const add = (text: string, pattern: RegExp) => {
    if (pattern.test(text) && !ALLOWED.has(text.trim())) found.push({ start: node.start, text: text.trim() })
  }
  if (node.type === 'JSXText') add(String(node['value']), WORD)
  if (node.type === 'Literal' && typeof node['value'] === 'string') add(node['value'], inMarkup ? WORD : TEXT)
  if (node.type === 'TemplateLiteral') {
    for (const quasi of node['quasis'] as Node[]) add((quasi['value'] as { cooked: string }).cooked, inMarkup ? WORD : FRAGMENT)
  }
  for (const [key, value] of Object.entries(node)) {
    // The name of a property is code.
    if (key === 'key' && node.type === 'Property') continue
    const below = inMarkup ? isStillMarkup(node.type) : node.type === 'JSXElement' || node.type === 'JSXFragment'
    for (const child of [value].flat()) if (isNode(child)) textsIn(child, found, below && key !== 'openingElement' && key !== 'test')
  }
}

/** Children that are rendered as text, such as `{x ? 'a' : 'b'}`. */
function isStillMarkup(type: string): boolean {
  return ['JSXElement', 'JSXFragment', 'JSXExpressionContainer', 'ConditionalExpression', 'LogicalExpression'].includes(type)
}

const faults: string[] = []
const used = new Set<string>()
const sources = globSync('web/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\.tsx?$|^web\/build/.test(file))
for (const file of sources.toSorted()) {
  const source = readFileSync(join(ROOT, file), 'utf8')
  for (const [, key = ''] of source.matchAll(/\bm\.(\w+)/g)) used.add(key)
  const found: { start: number; text: string }[] = []
  textsIn(parseSync(file, source).program as unknown as Node, found, false)
  for (const { start, text } of found) {
    faults.push(`${file}:${source.slice(0, start).split('\n').length}: "${text.replaceAll(/\s+/g, ' ')}" belongs in ${CATALOGUE}`)
  }
}

for (const page of globSync('web/*.html', { cwd: ROOT })) {
  for (const [, key = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(/%m\.(\w+)%/g)) used.add(key)
}

for (const key of Object.keys(JSON.parse(readFileSync(join(ROOT, CATALOGUE), 'utf8')) as object))
  if (key !== '$schema' && !used.has(key)) faults.push(`${CATALOGUE}: ${key} is not used`)
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
