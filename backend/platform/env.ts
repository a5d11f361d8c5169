/**
 * The only reader of the environment: one schema, every mistake at once. Whatever ends in `_FILE` is read from that file
 * (`DISCORD_CLIENT_SECRET_FILE=/run/secrets/discord`), so that secrets need not stand in the environment.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { TIER_IDS, type TierId } from '#contract/benefits.ts'
import { ISSUE_KINDS, type IssueKind } from '#contract/protection.ts'

const port = (fallback: number) =>
  z.coerce
    .number({ error: 'must be a port from 0 to 65535' })
    .int('must be a port from 0 to 65535')
    .min(0, 'must be a port from 0 to 65535')
    .max(65_535, 'must be a port from 0 to 65535')
    .default(fallback)

const origin = z
  .string()
  .refine(isOrigin, { error: 'must be an address such as https://panel.example.com, without a path' })
  .transform((text) => new URL(text).origin)

const address = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:/.test(text), { error: 'must be an address that begins with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''))

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

const onOffElse = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default(fallback)
    .transform((text) => text === 'on')
const onOff = onOffElse('on')

const isKind = (text: string): text is IssueKind => ISSUE_KINDS.some((kind) => kind === text)

const kinds = list
  .refine((names) => names.every(isKind), { error: `must be kinds of findings with commas between them, of ${ISSUE_KINDS.join(', ')}` })
  .transform((names) => names.filter(isKind))

/** `Town Hero=GOLD, 1234567=RUBY`: a provider's tier, by its id or title, and which of ours it is. */
const tiersByName = list
  .refine((pairs) => pairs.every((pair) => tierPair(pair) !== undefined), {
    error: `must be pairs such as "Town Hero=GOLD" with commas between them, each ending in one of ${TIER_IDS.join(', ')}`,
  })
  .refine(areDifferent, { error: 'must name each tier of the provider once' })
  .transform((pairs) => new Map<string, TierId>(pairs.map((pair) => tierPair(pair) ?? ['', 'BRONZE'])))

function tierPair(pair: string): [string, TierId] | undefined {
  const [, name, id] = /^(.+?)\s*=\s*(\w+)$/.exec(pair) ?? []
  const tier = TIER_IDS.find((each) => each === id)
  return name === undefined || tier === undefined ? undefined : [name.trim().toLowerCase(), tier]
}

function areDifferent(pairs: readonly string[]): boolean {
  const names = pairs.flatMap((pair) => tierPair(pair)?.[0] ?? [])
  return new Set(names).size === names.length
}

/** The value that `.env.example` shows; a production start refuses it. */
const SAMPLE_SECRET = 'change-me-to-32-random-characters-or-more'

const Variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }).default('development'),
  PORT: port(3000),
  MASTERLIST_PORT: port(3001),
  HOST: z.string().optional(),
  DATA_DIR: z
    .string()
    .default('data')
    .transform((path) => resolve(path)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  PUBLIC_URL: origin.optional(),
  MASTERLIST_PUBLIC_URL: address.optional(),
  DISCORD_CLIENT_ID: z.string().optional(),
  DISCORD_CLIENT_SECRET: z.string().optional(),
  DISCORD_AUTHORIZE_URL: address.default('https://discord.com/oauth2/authorize'),
  DISCORD_API_URL: address.default('https://discord.com/api/v10'),
  LOCAL_IDENTITY: onOff,
  COOKIE_SECRET: z.string().min(32, 'must be at least 32 characters long').optional(),
  ADMIN_DISCORD_IDS: list,
  ACCOUNT_DELETION_DELAY_HOURS: z.coerce
    .number({ error: 'must be a number of hours' })
    .min(0, 'must not be negative')
    .max(8760, 'must be at most 8760 (a year)')
    .default(24),
  BAN_APPEAL_EMAIL: z.email('must be an e-mail address').default('appeals@example.com'),
  DOWNLOADS_MANIFEST: z
    .string()
    .refine(isFileOrAddress, { error: 'must be a path, or an address that begins with http:// or https:// and has no user name in it' })
    .optional(),
  IMAGES_URL: address.optional(),
  IMAGES_ACCESS_KEY_ID: z.string().optional(),
  IMAGES_SECRET_ACCESS_KEY: z.string().optional(),
  IMAGES_REGION: z.string().default('auto'),
  IMAGES_PUBLIC_URL: address.optional(),
  PATREON_WEBHOOK_SECRET: z.string().min(16, 'must be at least 16 characters long').optional(),
  PATREON_TIERS: tiersByName,
  ANNOUNCE_TTL_SECONDS: z.coerce
    .number({ error: 'must be a number of seconds' })
    .min(1, 'must be at least 1')
    .max(86_400, 'must be at most 86400')
    .default(75),
  DRAIN_SECONDS: z.coerce
    .number({ error: 'must be a number of seconds' })
    .min(0, 'must not be negative')
    .max(300, 'must be at most 300 (five minutes)')
    .default(0),
  PROTECTION_OFF: kinds,
  REACHABILITY: z.enum(['off', 'warn', 'require'], { error: 'must be off, warn or require' }).default('off'),
  REACHABILITY_PRIVATE: onOffElse('off'),
  RATE_LIMITS: onOff,
  NODE_INTERNALS: onOff,
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce
    .number({ error: 'must be a number of connections' })
    .int('must be a whole number of connections')
    .min(1, 'must be at least 1')
    .max(65_535, 'must be at most 65535')
    .default(1024),
  TRUSTED_PROXIES: list.refine((proxies) => proxies.every(isNetwork), {
    error: 'must be addresses or networks such as 10.0.0.0/8, with commas between them',
  }),
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters long').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('warn'),
})

type Read = z.output<typeof Variables>

export interface Env extends Omit<Read, 'HOST' | 'PUBLIC_URL' | 'MASTERLIST_PUBLIC_URL'> {
  readonly HOST: string
  /** Undefined where nobody said it: then the address a local visitor used stands in (never in production). */
  readonly PUBLIC_URL: string | undefined
  readonly MASTERLIST_PUBLIC_URL: string | undefined
  readonly isProduction: boolean
  /** True where the local identity provider stands in for Discord. */
  readonly usesLocalIdentity: boolean
}

class EnvError extends Error {
  override readonly name = 'EnvError'
  constructor(mistakes: readonly string[]) {
    super(`Muster can't start with this configuration:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
  }
}

/** Reads and checks a whole environment. Throws an EnvError that names every mistake. */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const mistakes: string[] = []
  const values = withFiles(source, mistakes)
  const parsed = Variables.safeParse(values)
  const wrong = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])))
  for (const issue of parsed.error?.issues ?? []) mistakes.push(`${issue.path.join('.')} ${issue.message}.`)
  // Whatever is wrong by itself counts as its default here, so that the rules between variables are told in the same breath.
  const read = parsed.data ?? Variables.parse(Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name))))
  const isProduction = read.NODE_ENV === 'production'
  const usesLocalIdentity = !isProduction && read.DISCORD_CLIENT_ID === undefined && read.LOCAL_IDENTITY
  const rules = [...contradictions(read), ...(isProduction ? unfitForProduction(read) : [])]
  mistakes.push(...rules.filter((rule) => !wrong.has(rule.split(' ', 1)[0] ?? '')))
  if (mistakes.length > 0) throw new EnvError(mistakes)
  return Object.freeze({
    ...read,
    // Anybody can be anybody under the local provider, so it stays on this machine unless told otherwise.
    HOST: read.HOST ?? (usesLocalIdentity ? '127.0.0.1' : '::'),
    PUBLIC_URL: read.PUBLIC_URL,
    MASTERLIST_PUBLIC_URL: read.MASTERLIST_PUBLIC_URL,
    isProduction,
    usesLocalIdentity,
  })
}

function withFiles(source: Readonly<Record<string, string | undefined>>, mistakes: string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of Object.keys(Variables.shape)) {
    const value = source[name]?.trim()
    const file = source[`${name}_FILE`]?.trim()
    if (value !== undefined && value !== '') values[name] = value
    if (file === undefined || file === '') continue
    if (values[name] !== undefined) mistakes.push(`${name} and ${name}_FILE are both set; set one of them.`)
    try {
      values[name] = readFileSync(file, 'utf8').trim()
    } catch {
      mistakes.push(`${name}_FILE names a file that can't be read.`)
    }
  }
  return values
}

function contradictions(read: Read): string[] {
  const mistakes: string[] = []
  if (read.DISCORD_CLIENT_ID !== undefined && read.DISCORD_CLIENT_SECRET === undefined) {
    mistakes.push('DISCORD_CLIENT_SECRET must be set where DISCORD_CLIENT_ID is.')
  }
  if (read.IMAGES_URL !== undefined && (read.IMAGES_ACCESS_KEY_ID === undefined || read.IMAGES_SECRET_ACCESS_KEY === undefined)) {
    mistakes.push('IMAGES_ACCESS_KEY_ID and IMAGES_SECRET_ACCESS_KEY must be set where IMAGES_URL is.')
  }
  if (read.IMAGES_URL === undefined && (read.IMAGES_ACCESS_KEY_ID !== undefined || read.IMAGES_SECRET_ACCESS_KEY !== undefined)) {
    mistakes.push('IMAGES_URL must be set where IMAGES_ACCESS_KEY_ID or IMAGES_SECRET_ACCESS_KEY is.')
  }
  if (read.PATREON_TIERS.size > 0 && read.PATREON_WEBHOOK_SECRET === undefined) {
    mistakes.push('PATREON_WEBHOOK_SECRET must be set where PATREON_TIERS is.')
  }
  if (read.PORT !== 0 && read.PORT === read.MASTERLIST_PORT) mistakes.push('PORT and MASTERLIST_PORT must differ.')
  return mistakes
}

function unfitForProduction(read: Read): string[] {
  const mistakes: string[] = []
  if (read.DISCORD_CLIENT_ID === undefined)
    mistakes.push('DISCORD_CLIENT_ID must be set in production: the local identity provider is for trying things out.')
  if (read.DISCORD_CLIENT_ID === undefined && read.DISCORD_CLIENT_SECRET === undefined)
    mistakes.push('DISCORD_CLIENT_SECRET must be set in production.')
  if (read.PUBLIC_URL === undefined) mistakes.push('PUBLIC_URL must be set in production, such as https://panel.example.com.')
  else if (!read.PUBLIC_URL.startsWith('https:')) mistakes.push('PUBLIC_URL must begin with https:// in production.')
  if (read.MASTERLIST_PUBLIC_URL === undefined)
    mistakes.push('MASTERLIST_PUBLIC_URL must be set in production: owners copy it into their server configuration.')
  if (read.COOKIE_SECRET === undefined || read.COOKIE_SECRET === SAMPLE_SECRET)
    mistakes.push('COOKIE_SECRET must be set in production to 32 or more random characters of your own.')
  if (!read.RATE_LIMITS) mistakes.push('RATE_LIMITS=off is for load tests; it is refused in production.')
  return mistakes
}

function isNetwork(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text) || ['loopback', 'linklocal', 'uniquelocal'].includes(text)
}

function isFileOrAddress(text: string): boolean {
  if (!/^\w{2,}:\/\//.test(text)) return true
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
}
