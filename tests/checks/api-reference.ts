/**
 * `npm run check:api`: docs/api/reference/ and the row of the list in the SDK are what the table of endpoints says.
 * `npm run check:api -- --write` updates them. The reference has a page for each part, one for the shared types, one for the limits, and one
 * for the codes of the master list.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Endpoint, envelopeOf, parseRoute } from '#contract/api/endpoint.ts'
import { endpointGroups } from '#contract/index.ts'
import { CONCURRENCY, RATES, type RateName } from '#contract/api/limits.ts'
import { LIST_ERRORS, LIST_ERROR_CODES } from '#contract/masterlist/list-codes.ts'
import { wordingOf } from '#backend/masterlist/registry/reasons.ts'
import { REJECTIONS } from '#backend/platform/http/open-api/operation.ts'
import { type Operation, type Schema, components, paths } from './api-document.ts'
import { SDK_TYPES, sdkTypes } from './sdk-types.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'docs/api/reference')
const NOTE = '<!-- Generated from the table of endpoints: npm run check:api -- --write -->'

/** A cell of a table. */
const cell = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ')
const row = (...cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0 ? [] : [row(...heads), `|${'---|'.repeat(heads.length)}`, ...rows.map((cells) => row(...cells)), '']
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function between(unit: string, min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return min === max ? `${min}${unit}` : `${min} to ${max}${unit}`
  if (max !== undefined) return `up to ${max}${unit}`
  return min === undefined ? '' : `at least ${min}${unit}`
}

/** What a value must be, in a few words. */
function ruleOf(schema: Schema): string {
  const { $ref, anyOf, allOf, items, properties, additionalProperties } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `[${name}](types.md#${name.toLowerCase()})`
  }
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(ruleOf))].join(' or ')
  if (allOf !== undefined) return allOf.map(ruleOf).join(' and ')
  const type = typeof schema.type === 'object' ? schema.type.join(' or ') : (schema.type ?? 'any')
  if (type === 'array')
    return `list of ${items === undefined ? 'any' : ruleOf(items)}${suffix(between(' items', schema.minItems, schema.maxItems))}`
  if (properties !== undefined)
    return `{${Object.entries(properties)
      .map(([name, field]) => `${name}: ${ruleOf(field)}`)
      .join(', ')}}`
  if (typeof additionalProperties === 'object') return `a map to ${ruleOf(additionalProperties)}`
  const size = between(' characters', schema.minLength, schema.maxLength)
  const range = between('', schema.minimum, schema.maximum)
  return `${schema.format === undefined ? type : (FORMATS[schema.format] ?? schema.format)}${suffix(size)}${suffix(range)}`
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', uuid: 'UUID', email: 'e-mail address' }
const suffix = (text: string) => (text === '' ? '' : `, ${text}`)

/** Resolves names, to list the fields of an object. */
function fieldsOf(schema: Schema): readonly (readonly string[])[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).map(([name, field]) => [
    code(name),
    `${ruleOf(field)}${required.includes(name) ? '' : '; optional'}`,
    field.description ?? '',
  ])
}

/** A schema as a line, or as a table of its fields. */
function shape(title: string, schema: Schema): string[] {
  if (schema.properties === undefined) return [`**${title}**: ${ruleOf(schema)}`, '']
  return [`**${title}**`, '', ...table(['field', 'rule', 'meaning'], fieldsOf(schema))]
}

const ACCESS = {
  public: 'anyone',
  session: 'signed-in users, even if banned',
  unbanned: 'signed-in users who are not banned',
  member: 'signed-in users who are neither banned nor awaiting deletion',
  admin: 'administrators',
  credential: 'game servers, with their credential',
} as const

function rateText(name: RateName): string {
  const { burst, refill, seconds } = RATES[name]
  const periods: Readonly<Record<number, string>> = { 1: 'a second', 60: 'a minute', 3600: 'an hour', 86_400: 'a day' }
  const pace =
    periods[seconds] === undefined
      ? `${refill === 1 ? 'one' : refill} every ${seconds} s`
      : `${refill === 1 ? 'one' : refill} ${periods[seconds]}`
  return `burst ${burst.toLocaleString('en')}, then ${pace}`
}

/** Who may call it, and how often. */
function factsOf(endpoint: Endpoint): string[] {
  const limits = (endpoint.limits ?? []).map((name) => `[${name}](limits.md) (${rateText(name)})`)
  return [
    `- For ${ACCESS[endpoint.access]}.${endpoint.scope === undefined ? '' : ` An API key needs \`${endpoint.scope}\`.`}`,
    ...(limits.length === 0 ? [] : [`- Limits: ${limits.join(', ')}`]),
    ...(endpoint.versioned === true ? ['- Accepts [`If-Match`](../../api.md#conflicts).'] : []),
    '',
  ]
}

function replyOf(endpoint: Endpoint, responses: Operation['responses']): string[] {
  const [success] = Object.entries(responses['200']?.content ?? {})
  if (success === undefined) return ['**Reply**: 204', '']
  const [type, { schema }] = success
  const data = envelopeOf(endpoint) === 'data' ? schema.properties?.data : undefined
  return data === undefined ? shape(`Reply (${type})`, schema) : shape('Reply, in `data`', data)
}

function callSection(endpoint: Endpoint): string[] {
  const { method, path } = parseRoute(endpoint.route)
  const operation = paths[path]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`The document lacks ${endpoint.route}.`)
  const { parameters = [], requestBody, responses } = operation
  const named = parameters.filter((parameter) => parameter.name !== undefined)
  const [body] = Object.entries(requestBody?.content ?? {})
  return [
    `## ${endpoint.summary}`,
    '',
    `\`${endpoint.route}\``,
    '',
    ...(endpoint.description === undefined ? [] : [endpoint.description, '']),
    ...factsOf(endpoint),
    ...table(
      ['parameter', 'in', 'rule', 'meaning'],
      named.map(({ name = '', in: place = '', required, schema, description = '' }) => [
        code(name),
        place,
        `${ruleOf(schema)}${required === true ? '' : '; optional'}`,
        description,
      ]),
    ),
    ...(body === undefined ? [] : shape(`Body${requestBody?.required === true ? '' : ', optional'} (${body[0]})`, body[1].schema)),
    ...replyOf(endpoint, responses),
    ...table(['rejection', 'when'], rejectionsOf(endpoint, responses)),
  ]
}

/** Without those of every call of the panel, which the first page lists. */
function rejectionsOf({ codes, rejections = {}, versioned }: Endpoint, responses: Operation['responses']): string[][] {
  const own = new Set([...Object.keys(rejections), ...(versioned === true ? ['412'] : [])])
  const described = [...own].map((status) => [status, responses[status]?.description ?? ''])
  const byStatus = Map.groupBy(codes ?? [], (one) => String(LIST_ERRORS[one]))
  return [...described, ...[...byStatus].map(([status, ofStatus]) => [status, ofStatus.map(code).join(', ')])].toSorted(
    ([one = ''], [other = '']) => one.localeCompare(other),
  )
}

const fileOf = (tag: string) => `${tag.toLowerCase().replaceAll(' ', '-')}.md`

/** Wraps prose at 100 columns. Tables and headings keep their lines. */
function wrap(line: string): string {
  if (/^[|#<]/.test(line) || line.length <= 100) return line
  const indent = line.startsWith('- ') ? '  ' : ''
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    if (current !== '' && `${current} ${word}`.length > 100) {
      lines.push(current)
      current = indent + word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current].join('\n')
}

const page = (title: string, ...lines: readonly string[]) => `${[NOTE, '', `# ${title}`, '', ...lines].map(wrap).join('\n').trimEnd()}\n`

const pages = new Map<string, string>()
for (const { tag, description, calls } of endpointGroups)
  pages.set(fileOf(tag), page(tag, description, '', ...Object.values<Endpoint>(calls).flatMap(callSection)))

pages.set(
  'README.md',
  page(
    'Reference of the API',
    'Every call with its fields, replies, rejections and limits. [The API](../../api.md) explains what these pages share.',
    '',
    'See also the [types](types.md), the [limits](limits.md), and the [codes of the master list](codes.md).',
    '',
    'Every call of the panel may be rejected with one of these. The pages list only further ones.',
    '',
    ...table(
      ['status', 'when'],
      [400, 401, 403, 429, 503].map((status) => [String(status), REJECTIONS[status] ?? '']),
    ),
    ...endpointGroups.flatMap(({ tag, calls }) => [
      `## ${tag}`,
      '',
      ...table(
        ['call', 'task', 'scope'],
        Object.values<Endpoint>(calls).map(({ route, summary, scope }) => [
          code(route),
          `[${summary}](${fileOf(tag)}#${anchorOf(summary)})`,
          scope === undefined ? '' : code(scope),
        ]),
      ),
    ]),
  ),
)

pages.set(
  'types.md',
  page(
    'Types',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      `## ${name}`,
      '',
      ...(schema.description === undefined ? [] : [schema.description, '']),
      ...(schema.properties === undefined ? [ruleOf(schema), ''] : table(['field', 'rule', 'meaning'], fieldsOf(schema))),
    ]),
  ),
)

pages.set(
  'limits.md',
  page(
    'Limits',
    '"Burst 10, then one every 2 s" means: 10 at once, then one more every two seconds. An address is an IPv4 address or an IPv6 /64. Rates are shared by all nodes.',
    '',
    ...table(
      ['limit', 'each', 'rate', 'what counts', 'protects'],
      Object.entries(RATES).map(([name, { key, calls, protects }]) => [name, key, rateText(name as RateName), calls, protects]),
    ),
    'How much runs at once, on each node:',
    '',
    ...table(
      ['limit', 'each', 'at once', 'what counts'],
      Object.entries(CONCURRENCY).map(([name, { key, max, calls }]) => [name, key, String(max), calls]),
    ),
  ),
)

pages.set(
  'codes.md',
  page(
    'Codes of the master list',
    'What `code` can be in a rejection of the master list. Compare codes, never sentences.',
    '',
    ...table(
      ['code', 'status', 'sentence', 'remedy'],
      LIST_ERROR_CODES.map((one) => [code(one), String(LIST_ERRORS[one]), wordingOf(one).message, wordingOf(one).remedy]),
    ),
  ),
)

const files = new Map([...pages].map(([file, text]) => [join(FOLDER, file), text])).set(SDK_TYPES, sdkTypes())
const obsolete = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).filter((file) => !pages.has(file)).map((file) => join(FOLDER, file))
if (process.argv.includes('--write')) {
  mkdirSync(FOLDER, { recursive: true })
  for (const file of obsolete) rmSync(file)
  for (const [file, text] of files) writeFileSync(file, text)
} else {
  const isCurrent = (file: string, text: string) => existsSync(file) && readFileSync(file, 'utf8') === text
  const stale = [...files].filter(([file, text]) => !isCurrent(file, text)).map(([file]) => file)
  const faults = [...stale, ...obsolete].map((file) => relative(ROOT, file))
  if (faults.length > 0) process.stderr.write(`Out of date: ${faults.join(', ')}. Run: npm run check:api -- --write\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
