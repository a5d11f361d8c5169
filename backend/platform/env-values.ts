/** The formats of values in the environment. */
import { type KeyObject, createPublicKey } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { TIER_IDS, type TierId } from '#contract/benefits/benefits.ts'
import { ISSUE_KINDS, type IssueKind } from '#contract/protection/protection.ts'

export const port = (fallback: number) => {
  const error = 'must be a port from 0 to 65535'
  return z.coerce.number({ error }).int(error).min(0, error).max(65_535, error).default(fallback)
}

/** @param note the maximum in other words. */
export const number = (unit: string, min: number, max: number, note = '') =>
  z.coerce
    .number({ error: `must be a number of ${unit}` })
    .min(min, min === 0 ? 'must not be negative' : `must be at least ${min}`)
    .max(max, `must be at most ${max}${note}`)

export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 03:30')

export const secret = (min: number) => z.string().min(min, `must be at least ${min} characters long`).optional()

export const origin = z
  .string()
  .refine(isOrigin, { error: 'must be a URL such as https://panel.example.com, without a path' })
  .transform((text) => new URL(text).origin)

export const address = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:/.test(text), { error: 'must be a URL that begins with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''))

/** What browsers run or open themselves. */
const UNSAFE_SCHEME = /^(javascript|data|vbscript|file|blob):/i

/** A link that opens the game: `{address}` and `{public_id}` are replaced. */
export const connectTemplate = z
  .string()
  .refine(isConnectTemplate, { error: 'must be a URL with {address} or {public_id}, such as mygame://connect/{address}' })

export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

export const onOff = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default(fallback)
    .transform((text) => text === 'on')

const ACCOUNT_ID = /^(\d+|oidc:[\w-]+)$/

export const accountIds = list.refine((ids) => ids.every((id) => ACCOUNT_ID.test(id)), {
  error: 'must be a comma-separated list of Discord IDs, such as 80351110224678912, or of IDs that begin with oidc:',
})

const isKind = (text: string): text is IssueKind => ISSUE_KINDS.some((kind) => kind === text)

export const kinds = list
  .refine((names) => names.every(isKind), { error: `must be a comma-separated list of issue kinds: ${ISSUE_KINDS.join(', ')}` })
  .transform((names) => names.filter(isKind))

/** `Town Hero=GOLD, 1234567=RUBY`: maps a provider's tiers, by id or title, to ours. */
export const tiersByName = list.transform((texts, context) => {
  const pairs = texts.map(tierPair).filter((pair) => pair !== undefined)
  const tiers = new Map(pairs)
  if (pairs.length < texts.length)
    context.addIssue(`must be comma-separated pairs such as "Town Hero=GOLD", each ending in one of ${TIER_IDS.join(', ')}`)
  if (tiers.size < pairs.length) context.addIssue('must name each tier of the provider once')
  return tiers
})

function tierPair(pair: string): [string, TierId] | undefined {
  const [, name, id] = /^(.+?)\s*=\s*(\w+)$/.exec(pair) ?? []
  const tier = TIER_IDS.find((each) => each === id)
  return name === undefined || tier === undefined ? undefined : [name.trim().toLowerCase(), tier]
}

/** PEM blocks one after the other. In a variable, `\\n` may stand for a line break. */
export const publicKeys = z
  .string()
  .default('')
  .transform((text, context): KeyObject[] => {
    const pems = text.replaceAll(String.raw`\n`, '\n').match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g) ?? []
    const keys = pems.map(p256KeyOf).filter((key) => key !== undefined)
    if (keys.length < pems.length || (text !== '' && pems.length === 0))
      context.addIssue('must be ECDSA P-256 public keys in PEM format: -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----')
    return keys
  })

function p256KeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

export function isNetwork(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text) || ['loopback', 'linklocal', 'uniquelocal'].includes(text)
}

export function isFileOrAddress(text: string): boolean {
  if (!/^\w{2,}:\/\//.test(text)) return true
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
}

function isConnectTemplate(text: string): boolean {
  const parts = text.match(/\{[^}]*\}/g) ?? []
  const areKnown = parts.length > 0 && parts.every((part) => part === '{address}' || part === '{public_id}')
  return areKnown && !UNSAFE_SCHEME.test(text.trim()) && URL.canParse(text.replaceAll(/[{}]/g, ''))
}
