/** The providers of OpenID Connect in the environment: `OIDC_<NAME>_ISSUER` and so on. `env.ts` calls it and reads the files. */
import { z } from 'zod'
import { ROLES, type Role } from '#contract/benefits/benefits.ts'
import { rejectedInName } from '#contract/text/text.ts'

export interface OidcProvider {
  /** The NAME in lower case: in URLs. */
  readonly id: string
  /** Canonical, so that accounts stay the same if only its spelling changes. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people read on the sign-in page. */
  readonly label: string
  /** The claim that names the groups of a user. */
  readonly groupsClaim: string | undefined
  readonly groupRoles: readonly GroupRole[]
}

export interface GroupRole {
  readonly group: string
  readonly role: Role
}

const MAX_LABEL_LENGTH = 32

const required = z.string({ error: 'must be set, as every provider needs it' })

/** The variables of one provider with their descriptions, which docs/operating.md shows. */
export const OidcVariables = z.object({
  ISSUER: required
    .refine(isIssuer, { error: 'must be the issuer: a URL such as https://id.example.com, without “?”, “#” or /.well-known/' })
    .transform(canonicalIssuer)
    .describe('Issuer of an [OpenID Connect](#openid-connect) provider. Production needs https.'),
  CLIENT_ID: required.describe('Client ID of Muster at this provider.'),
  CLIENT_SECRET: required.describe('Its client secret.'),
  LABEL: z
    .string()
    .max(MAX_LABEL_LENGTH, `must be at most ${MAX_LABEL_LENGTH} characters long`)
    .refine((text) => rejectedInName(text) === undefined, { error: 'must be one line of visible characters' })
    .optional()
    .describe('What people read on the sign-in page. Default: the NAME.'),
  GROUPS_CLAIM: z.string().optional().describe('The claim that lists a user’s groups, such as `groups`.'),
  GROUP_ROLES: z
    .string()
    .default('')
    .transform((text, context): GroupRole[] => {
      const texts = text.split(',').filter((part) => part.trim() !== '')
      const pairs = texts.map(groupRole).filter((pair) => pair !== undefined)
      if (pairs.length < texts.length)
        context.addIssue(`must be comma-separated pairs such as "admins=${ROLES[0]}", each ending in one of ${ROLES.join(', ')}`)
      return pairs
    })
    .describe(`Which group gives which role: \`admins=ADMIN,staff=ADMIN\`. Roles: \`${ROLES.join('`, `')}\`.`),
})

const SUFFIXES = Object.keys(OidcVariables.shape)
const VARIABLE = new RegExp(`^OIDC_(.*)_(${SUFFIXES.join('|')})(_FILE)?$`)
const NAME = /^[A-Z][A-Z0-9]{0,31}$/
/** Other ways to sign in have these addresses. */
const RESERVED = new Set(['DISCORD', 'LOCAL', 'RECOVERY'])

/** The names of the providers, each once. Adds a mistake for each that can't be one. */
export function oidcNames(source: Readonly<Record<string, string | undefined>>, mistakes: string[]): string[] {
  const set = Object.keys(source).filter((variable) => (source[variable]?.trim() ?? '') !== '')
  const names = new Set(set.map((variable) => VARIABLE.exec(variable)?.[1]).filter((name) => name !== undefined))
  return [...names].toSorted().filter((name) => {
    const isReserved = RESERVED.has(name)
    if (isReserved) mistakes.push(`OIDC_${name}_ISSUER uses a name that is taken: ${name}. Choose another one, such as OIDC_MAIN_ISSUER.`)
    else if (!NAME.test(name)) mistakes.push(`OIDC_${name}_ISSUER has no valid name: use 1 to 32 of A-Z and 0-9, such as OIDC_MAIN_ISSUER.`)
    return !isReserved && NAME.test(name)
  })
}

export const oidcVariablesOf = (name: string): string[] => SUFFIXES.map((suffix) => `OIDC_${name}_${suffix}`)

/** Undefined with mistakes. @param values by the whole names of the variables */
export function readOidcProvider(
  name: string,
  values: Readonly<Record<string, string>>,
  isProduction: boolean,
  mistakes: string[],
): OidcProvider | undefined {
  const prefix = `OIDC_${name}_`
  const given = (suffix: string) => values[`${prefix}${suffix}`]
  const { data, error } = OidcVariables.safeParse(Object.fromEntries(SUFFIXES.map((suffix) => [suffix, given(suffix)])))
  const found = (error?.issues ?? []).map((issue) => `${prefix}${issue.path.join('.')} ${issue.message}.`)
  if (isProduction && given('ISSUER')?.startsWith('http:')) found.push(`${prefix}ISSUER must begin with https:// in production.`)
  if (given('GROUP_ROLES') !== undefined && given('GROUPS_CLAIM') === undefined)
    found.push(`${prefix}GROUPS_CLAIM must be set if ${prefix}GROUP_ROLES is set.`)
  mistakes.push(...found)
  if (data === undefined || found.length > 0) return undefined
  return {
    id: name.toLowerCase(),
    issuer: data.ISSUER,
    clientId: data.CLIENT_ID,
    clientSecret: data.CLIENT_SECRET,
    label: data.LABEL ?? name.charAt(0) + name.slice(1).toLowerCase(),
    groupsClaim: data.GROUPS_CLAIM,
    groupRoles: data.GROUP_ROLES,
  }
}

/** Accounts are known by issuer and subject, so two providers can't share an issuer. */
export function sharedIssuers(providers: readonly OidcProvider[]): string[] {
  return providers.flatMap(({ id, issuer }, index) => {
    const first = providers.slice(0, index).find((other) => other.issuer === issuer)
    return first === undefined
      ? []
      : [`OIDC_${id.toUpperCase()}_ISSUER is the same as OIDC_${first.id.toUpperCase()}_ISSUER. Set up each issuer once.`]
  })
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.search === '' && url.hash === '' && url.username === '' && !url.pathname.includes('/.well-known/')
}

/** As URLs compare. Without the slash that a URL adds to a bare origin. */
export function canonicalIssuer(text: string): string {
  const { href, origin, pathname } = new URL(text)
  return pathname === '/' ? origin : href
}

/** Names of groups may contain equals signs. */
function groupRole(pair: string): GroupRole | undefined {
  const [, group, name] = /^(.+)=\s*(\w+)\s*$/.exec(pair) ?? []
  const role = ROLES.find((each) => each === name)
  return group === undefined || role === undefined ? undefined : { group: group.trim(), role }
}
