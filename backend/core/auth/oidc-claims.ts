/** What the claims of a provider say about a user: who they are, their name and their roles. */
import { hash } from 'node:crypto'
import { m as texts } from '#api-messages'
import { ROLES, type Role } from '#contract/benefits/benefits.ts'
import { line, rejectedInName } from '#contract/text/text.ts'
import type { OidcProvider } from '#backend/platform/env-oidc.ts'

/** An account is known by issuer and subject, never by its e-mail address. */
export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  /** Those that the user's groups give. */
  readonly roles: readonly Role[]
}

/** As long as a name of Discord. */
const MAX_NAME_LENGTH = 32
const Name = line({ label: texts.field_name, min: 1, max: MAX_NAME_LENGTH })

type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

export function readIdentity({ issuer, label, groupsClaim, groupRoles }: OidcProvider, claims: Claims): OidcIdentity {
  const names = [claims['preferred_username'], claims['nickname'], claims['name']].map(cleanName)
  const groups = groupsClaim === undefined ? [] : groupsIn(claims[groupsClaim])
  const given = new Set(groupRoles.filter(({ group }) => groups.includes(group)).map(({ role }) => role))
  return {
    issuer,
    subject: claims.sub,
    name: names.find((name) => name !== undefined) ?? label,
    roles: ROLES.filter((role) => given.has(role)),
  }
}

/** Without characters that a name can't contain. Undefined if nothing remains. */
function cleanName(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined
  const visible = Array.from(claim.replaceAll(/\s+/g, ' ').trim()).filter((character) => rejectedInName(character) === undefined)
  const name = Name.safeParse(visible.slice(0, MAX_NAME_LENGTH).join(''))
  return name.success ? name.data : undefined
}

function groupsIn(claim: unknown): readonly unknown[] {
  return Array.isArray(claim) ? claim : [claim]
}

/** In place of a Discord ID: `oidc:` and 132 bits of a hash. */
export function oidcIdOf({ issuer, subject }: Pick<OidcIdentity, 'issuer' | 'subject'>): string {
  return `oidc:${hash('sha256', `${issuer}\n${subject}`, 'base64url').slice(0, 22)}`
}
