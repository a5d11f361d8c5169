/** The operator's manifest: its format, and a sentence with the path of the first mistake. */
import { z } from 'zod'
import type { Product } from '#contract/public-site/downloads.ts'

/** A manifest of 1000 builds with notes has a fifth of this. */
export const MAX_BYTES = 1024 * 1024
const MAX_PRODUCTS = 100
const MAX_BUILDS = 1000

/** The message is a sentence for the operator, without secrets. */
export class ManifestProblem extends Error {
  override readonly name = 'ManifestProblem'
}

const anyText = z.string({ error: 'must be text' })
const textUpTo = (max: number) => anyText.trim().max(max, { error: `must be at most ${max} characters long` })
const text = (max: number) => textUpTo(max).min(1, { error: 'must not be empty' })

const key = anyText.regex(/^[a-z0-9][a-z0-9._-]{0,47}$/, {
  error: 'must be 1 to 48 of the characters a-z, 0-9, ".", "_", "-", and start with a letter or digit',
})

/** A date means its start in UTC. */
const date = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'must be a date such as 2026-11-02 or a time such as 2026-11-02T14:30:00Z',
  })
  .transform((given) => new Date(given).toISOString())

const url = anyText
  .max(2000, { error: 'must be at most 2000 characters long' })
  .refine(isFileAddress, { error: 'must be a URL that starts with https:// and ends with a file name' })
  .transform((given) => new URL(given).href)

const ManifestBuild = z.strictObject({
  branch: key,
  platform: key,
  version: text(48),
  date,
  size: z.int({ error: 'must be the number of bytes, a whole number above 0' }).positive({ error: 'must be above 0' }),
  sha256: anyText.regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal digits' }).transform((given) => given.toLowerCase()),
  url,
  notes: textUpTo(4000).default(''),
})

const ManifestProduct = z.strictObject({
  id: key,
  name: text(64),
  description: textUpTo(400).default(''),
  builds: z.array(ManifestBuild, { error: 'must be a list' }),
})

const Manifest = z
  .strictObject({
    manifest: z.literal(1, { error: 'must be 1, the version of this format' }),
    products: z
      .array(ManifestProduct, { error: 'must be a list' })
      .max(MAX_PRODUCTS, { error: `must be at most ${MAX_PRODUCTS} products` }),
  })
  .superRefine(({ products }, context) => {
    const reject = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path: ['products', ...path], message })
    if (products.reduce((sum, { builds }) => sum + builds.length, 0) > MAX_BUILDS)
      reject([], `must have at most ${MAX_BUILDS} builds in all`)
    const ids = new Set<string>()
    products.forEach(({ id, builds }, at) => {
      if (ids.has(id)) reject([at, 'id'], `repeats "${id}"`)
      ids.add(id)
      const known = new Set<string>()
      builds.forEach(({ branch, platform, version }, build) => {
        const same = JSON.stringify([branch, platform, version])
        if (known.has(same)) reject([at, 'builds', build], `repeats the build of ${version} for ${branch} and ${platform}`)
        known.add(same)
      })
    })
  })

/** The manifest's products with builds newest first. Throws ManifestProblem with the first invalid field. */
export function readManifest(json: string): Product[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new ManifestProblem(`It is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'}`)
  }
  const parsed = Manifest.safeParse(value)
  if (!parsed.success) throw new ManifestProblem(describeProblem(parsed.error.issues))
  return parsed.data.products.map((product) => ({ ...product, builds: product.builds.toSorted(newestFirst) }))
}

function newestFirst(a: { date: string; version: string }, b: { date: string; version: string }): number {
  return b.date.localeCompare(a.date) || b.version.localeCompare(a.version, 'en', { numeric: true })
}

function describeProblem([first, ...others]: readonly z.core.$ZodIssue[]): string {
  if (first === undefined) return 'It is invalid.'
  const where = formatPath(first.path)
  const more = others.length > 0 ? ` The manifest has ${others.length} more ${others.length === 1 ? 'mistake' : 'mistakes'}.` : ''
  return `${where} ${describeIssue(first)}.${more}`
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has an unknown field: ${issue.keys.join(', ').slice(0, 80)}`
  return issue.code === 'invalid_type' && issue.expected === 'object' ? 'must be an object' : issue.message
}

/** Such as `products[0].builds[2].sha256`. */
function formatPath(path: readonly PropertyKey[]): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return place === '' ? 'The manifest' : place.replace(/^\./, '')
}

/** Requires a file name at the end: the commands on the page save the file under it. */
function isFileAddress(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { protocol, username, password, pathname } = new URL(given)
  return protocol === 'https:' && username === '' && password === '' && !pathname.endsWith('/')
}
