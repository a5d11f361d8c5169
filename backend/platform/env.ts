/** The only code that reads environment variables; it reports all mistakes at once. `NAME_FILE` names a file that holds the value of `NAME`. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import {
  accountIds,
  address,
  connectTemplate,
  isFileOrAddress,
  isNetwork,
  kinds,
  list,
  number,
  onOff,
  origin,
  port,
  publicKeys,
  secret,
  tiersByName,
  timeOfDay,
} from './env-values.ts'
import { BRANDING_VARIABLES } from './branding/branding-env.ts'
import { RETENTION_VARIABLES } from './retention-env.ts'
import { type OidcProvider, oidcNames, oidcVariablesOf, readOidcProvider, sharedIssuers } from './env-oidc.ts'
import { SIGNING_VARIABLES, signingMistakes } from './signing/signing-env.ts'

/** The value in `.env.example`; production rejects it. */
const SAMPLE_SECRET = 'change-me-to-32-random-characters-or-more'

/** Every variable with its description; `npm run check:env -- --write` copies them to docs/operating.md. */
export const Variables = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
    .default('development')
    .describe('`production` rejects unsafe settings and reports all of them.'),
  PORT: port(3000).describe('Port of the panel and its API.'),
  MASTERLIST_PORT: port(3001).describe('Port of the master list.'),
  HOST: z.string().optional().describe('Address to listen on. Default: `127.0.0.1` with the local identity provider, else all addresses.'),
  DATA_DIR: z
    .string()
    .default('data')
    .transform((path) => resolve(path))
    .describe('Folder of the embedded database, images and uploads in progress.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional()
    .describe('A Postgres 15 or newer of your own, instead of the embedded one.'),
  /** Outside production, the address in the visitor's browser replaces this and the next one if they are missing. */
  PUBLIC_URL: origin.optional().describe("The panel's address for visitors. Production needs it, with https."),
  MASTERLIST_PUBLIC_URL: address.optional().describe("The list's address for game servers and launchers. Production needs it."),
  DISCORD_CLIENT_ID: z.string().optional().describe('Client ID of your Discord application. Production needs it or OpenID Connect.'),
  DISCORD_CLIENT_SECRET: z.string().optional().describe('Its client secret.'),
  DISCORD_AUTHORIZE_URL: address.default('https://discord.com/oauth2/authorize').describe('Where people sign in.'),
  DISCORD_API_URL: address.default('https://discord.com/api/v10').describe("Discord's API."),
  LOCAL_IDENTITY: onOff('on').describe('`off` disables the local identity provider. Production never has it.'),
  COOKIE_SECRET: secret(32).describe('Signs sign-in cookies; the same on every node. Production needs at least 32 characters.'),
  ADMIN_DISCORD_IDS: accountIds.describe('Comma-separated Discord or `oidc:` IDs of users who become administrators at each sign-in.'),
  ACCOUNT_DELETION_DELAY_HOURS: number('hours', 0, 8760, ' (a year)')
    .default(24)
    .describe('Hours in which an account deletion can be cancelled.'),
  ...RETENTION_VARIABLES,
  BAN_APPEAL_EMAIL: z
    .email('must be an e-mail address')
    .default('appeals@example.com')
    .describe('E-mail address where banned users can appeal.'),
  SUPPORT_URL: address.optional().describe('Where people become supporters. The benefits page links to it.'),
  ...BRANDING_VARIABLES,
  TERMS_URL: address.optional().describe('Your terms of use. The public pages and the login link to it.'),
  PRIVACY_URL: address.optional().describe('Your privacy policy. The public pages and the login link to it.'),
  IMPRINT_URL: address.optional().describe('Your imprint. The public pages and the login link to it.'),
  PUBLIC_SITE: onOff('on').describe('`off` removes the public pages, badges, images and reports.'),
  CONNECT_URL_TEMPLATE: connectTemplate
    .optional()
    .describe('Link that opens your client: `mygame://connect/{address}`. Also `{public_id}`.'),
  DOWNLOADS_MANIFEST: z
    .string()
    .refine(isFileOrAddress, { error: 'must be a path, or a URL that begins with http:// or https:// and contains no username' })
    .optional()
    .describe('File or URL of the downloads page’s manifest.'),
  IMAGES_URL: address.optional().describe('S3-compatible bucket for images, such as `https://s3.example.com/muster`.'),
  IMAGES_ACCESS_KEY_ID: z.string().optional().describe('Key ID of the bucket.'),
  IMAGES_SECRET_ACCESS_KEY: z.string().optional().describe('Secret key of the bucket.'),
  IMAGES_REGION: z.string().default('auto').describe('Region of the bucket.'),
  IMAGES_PUBLIC_URL: address.optional().describe('Where images are served, if not at `MASTERLIST_PUBLIC_URL/images`.'),
  BACKUP_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .describe('Folder for a verified backup each day. Without it, there is none.'),
  BACKUP_KEEP: number('backups', 1, 365).int('must be a whole number of backups').default(7).describe('How many of them are kept.'),
  BACKUP_AT: timeOfDay.default('03:00').describe('Time of day of the backup, in UTC.'),
  ...SIGNING_VARIABLES,
  PATREON_WEBHOOK_SECRET: secret(16).describe('Secret of the Patreon webhook, at least 16 characters.'),
  PATREON_TIERS: tiersByName.describe('Which Patreon tier gives which tier here: `Town Hero=GOLD, 1234567=RUBY`.'),
  LEAK_REPORT_PUBLIC_KEYS: publicKeys.describe(
    'ECDSA P-256 public keys (PEM) that verify reports of leaked secrets. Without them, anyone can report.',
  ),
  ANNOUNCE_TTL_SECONDS: number('seconds', 1, 86_400).default(75).describe('Seconds without an announce after which a server is offline.'),
  DRAIN_SECONDS: number('seconds', 0, 300, ' (five minutes)')
    .default(0)
    .describe('How long a stopping node still answers while `/readyz` says 503.'),
  PROTECTION_OFF: kinds.describe('Comma-separated kinds of issues that are not checked.'),
  REACHABILITY: z
    .enum(['off', 'warn', 'require'], { error: 'must be off, warn or require' })
    .optional()
    .describe('Checks servers: `warn` notifies owners, `require` also unlists. Default: `warn` in production.'),
  REACHABILITY_PRIVATE: onOff('off').describe('`on` also probes private addresses and lets announces name them.'),
  PRIVATE_ADDRESSES: z
    .enum(['list', 'reject'], { error: 'must be list or reject' })
    .optional()
    .describe('Servers with private addresses: `list` or `reject`. Default: `reject` in production.'),
  WEBHOOKS_PRIVATE: onOff('off').describe('`on` lets webhooks use http, any port and private addresses. Production rejects it.'),
  OPERATOR_WEBHOOK_URL: address.optional().describe('Receives new protection issues, reports and failing jobs.'),
  OPERATOR_WEBHOOK_URL_KIND: z
    .enum(['standard', 'discord'], { error: 'must be standard or discord' })
    .default('standard')
    .describe('Format of these messages: `standard` (JSON, unsigned) or `discord`.'),
  RATE_LIMITS: onOff('on').describe('`off` is for load tests. Production rejects it.'),
  MAX_CONNECTIONS_PER_ADDRESS: number('connections', 1, 65_535)
    .int('must be a whole number of connections')
    .default(1024)
    .describe('Connections per address (IPv6 /64) and listener, without `TRUSTED_PROXIES`.'),
  TRUSTED_PROXIES: list
    .refine((proxies) => proxies.every(isNetwork), {
      error: 'must be comma-separated addresses or networks such as 10.0.0.0/8',
    })
    .describe('Comma-separated addresses or networks that may name the client’s address.'),
  METRICS_TOKEN: secret(16).describe(
    'Bearer token for `/metrics`, at least 16 characters. Without it, only this machine reads them; in production, nobody.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('warn')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.'),
})

type Parsed = z.output<typeof Variables>

export interface Env extends Parsed {
  /** By their labels. */
  readonly OIDC_PROVIDERS: readonly OidcProvider[]
  readonly HOST: string
  readonly isProduction: boolean
  /** Whether the local identity provider replaces Discord. */
  readonly usesLocalIdentity: boolean
  readonly PRIVATE_ADDRESSES: 'list' | 'reject'
  readonly REACHABILITY: 'off' | 'warn' | 'require'
  /** Whether the list probes game servers at the addresses that they announce from. */
  readonly checksReachability: boolean
  /** Whether it also probes those that don't say how they can be asked. */
  readonly probesAllServers: boolean
}

class EnvError extends Error {
  override readonly name = 'EnvError'
  constructor(mistakes: readonly string[]) {
    super(`Muster can't start with this configuration:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
  }
}

/** Reads and checks the environment. Throws an EnvError that lists every mistake. */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const mistakes: string[] = []
  const names = oidcNames(source, mistakes)
  const values = withFiles(source, [...Object.keys(Variables.shape), ...names.flatMap(oidcVariablesOf)], mistakes)
  const result = Variables.safeParse(values)
  const invalid = new Set(result.error?.issues.map((issue) => String(issue.path[0])))
  for (const issue of result.error?.issues ?? []) mistakes.push(`${issue.path.join('.')} ${issue.message}.`)
  // Invalid variables get their defaults, so that the rules between variables are checked, too.
  const parsed = result.data ?? Variables.parse(Object.fromEntries(Object.entries(values).filter(([name]) => !invalid.has(name))))
  const isProduction = parsed.NODE_ENV === 'production'
  const usesLocalIdentity = !isProduction && parsed.DISCORD_CLIENT_ID === undefined && parsed.LOCAL_IDENTITY
  const providers = names.flatMap((name) => readOidcProvider(name, values, isProduction, mistakes) ?? [])
  mistakes.push(...sharedIssuers(providers))
  const contradictions = [...contradictionsIn(parsed), ...(isProduction ? productionMistakes(parsed, names.length > 0) : [])]
  mistakes.push(...contradictions.filter((sentence) => !invalid.has(sentence.split(' ', 1)[0] ?? '')))
  if (mistakes.length > 0) throw new EnvError(mistakes)
  return Object.freeze({
    ...parsed,
    OIDC_PROVIDERS: providers.toSorted((a, b) => a.label.localeCompare(b.label)),
    // With the local identity provider a visitor can be any user, so by default only this machine can connect.
    HOST: parsed.HOST ?? (usesLocalIdentity ? '127.0.0.1' : '::'),
    isProduction,
    usesLocalIdentity,
    ...protectionOf(parsed, isProduction),
  })
}

/** What depends on where the program runs, and was not chosen. */
function protectionOf({ PRIVATE_ADDRESSES, REACHABILITY: chosen, PROTECTION_OFF }: Parsed, isProduction: boolean) {
  const REACHABILITY = chosen ?? (isProduction ? 'warn' : 'off')
  const checksReachability = REACHABILITY !== 'off' && !PROTECTION_OFF.includes('UNREACHABLE')
  return {
    PRIVATE_ADDRESSES: PRIVATE_ADDRESSES ?? (isProduction ? 'reject' : 'list'),
    REACHABILITY,
    checksReachability,
    probesAllServers: checksReachability && chosen !== undefined,
  } as const
}

function withFiles(
  source: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  mistakes: string[],
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of names) {
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

function contradictionsIn(parsed: Parsed): string[] {
  const mistakes: string[] = []
  if (parsed.DISCORD_CLIENT_ID !== undefined && parsed.DISCORD_CLIENT_SECRET === undefined)
    mistakes.push('DISCORD_CLIENT_SECRET must be set if DISCORD_CLIENT_ID is set.')
  const imageKeys = [parsed.IMAGES_ACCESS_KEY_ID, parsed.IMAGES_SECRET_ACCESS_KEY].filter((key) => key !== undefined)
  if (parsed.IMAGES_URL !== undefined && imageKeys.length < 2)
    mistakes.push('IMAGES_ACCESS_KEY_ID and IMAGES_SECRET_ACCESS_KEY must be set if IMAGES_URL is set.')
  if (parsed.IMAGES_URL === undefined && imageKeys.length > 0)
    mistakes.push('IMAGES_URL must be set if IMAGES_ACCESS_KEY_ID or IMAGES_SECRET_ACCESS_KEY is set.')
  if (parsed.PATREON_TIERS.size > 0 && parsed.PATREON_WEBHOOK_SECRET === undefined)
    mistakes.push('PATREON_WEBHOOK_SECRET must be set if PATREON_TIERS is set.')
  if (parsed.PORT !== 0 && parsed.PORT === parsed.MASTERLIST_PORT) mistakes.push('PORT and MASTERLIST_PORT must differ.')
  return [...mistakes, ...signingMistakes(parsed)]
}

function productionMistakes(parsed: Parsed, hasOidc: boolean): string[] {
  const mistakes: string[] = []
  if (parsed.DISCORD_CLIENT_ID === undefined && !hasOidc) {
    mistakes.push(
      'DISCORD_CLIENT_ID or an OpenID Connect provider must be set in production: the local identity provider is for trying things out.',
    )
    if (parsed.DISCORD_CLIENT_SECRET === undefined) mistakes.push('DISCORD_CLIENT_SECRET must be set in production.')
  }
  if (parsed.PUBLIC_URL === undefined) mistakes.push('PUBLIC_URL must be set in production, such as https://panel.example.com.')
  else if (!parsed.PUBLIC_URL.startsWith('https:')) mistakes.push('PUBLIC_URL must begin with https:// in production.')
  if (parsed.MASTERLIST_PUBLIC_URL === undefined)
    mistakes.push('MASTERLIST_PUBLIC_URL must be set in production: owners copy it into their server configuration.')
  if (parsed.COOKIE_SECRET === undefined || parsed.COOKIE_SECRET === SAMPLE_SECRET)
    mistakes.push('COOKIE_SECRET must be set in production to 32 or more random characters of your own.')
  if (parsed.WEBHOOKS_PRIVATE) mistakes.push('WEBHOOKS_PRIVATE=on lets users reach your internal network; production rejects it.')
  if (!parsed.RATE_LIMITS) mistakes.push('RATE_LIMITS=off is for load tests; production rejects it.')
  return mistakes
}
