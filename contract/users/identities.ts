/** The ways in which a user can sign in: Discord, and identities of OpenID Connect. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import { IdentityIdParam } from '#contract/api/path-params.ts'
import { requiredText } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'

export const Identity = z
  .object({
    id: z.string().describe('The Discord ID, or `oidc:` and 22 characters.'),
    provider: z.string().nullable().describe('The ID of its provider. Null if it is no longer configured.'),
    label: z.string().describe('The provider’s display name.'),
    name: z.string().describe('The user’s name at the provider.'),
    linked_at: Time.nullable().describe('Null for Discord.'),
    last_signed_in_at: Time.nullable().describe('The last sign-in with it, or when it was linked. Null for Discord.'),
  })
  .meta({ id: 'Identity' })
export type Identity = z.output<typeof Identity>

export const list = endpoint('GET /api/users/identities', {
  summary: 'List your ways to sign in',
  description: 'Discord first, then the oldest.',
  access: 'member',
  reply: z.array(Identity),
})

export const link = endpoint('POST /api/users/identities', {
  summary: 'Start to link another way to sign in',
  description: 'The reply is the address of the provider’s sign-in page. Its callback links only in the same browser and account.',
  access: 'member',
  limits: ['changes'],
  body: z.strictObject({ provider: requiredText(texts.field_provider, 32) }),
  envelope: 'text',
  reply: z.string(),
  rejections: { 404: 'No such provider.', 502: 'The provider is down.' },
})

export const unlink = endpoint('DELETE /api/users/identities/{id}', {
  summary: 'Unlink a way to sign in',
  description:
    'The last one of a configured provider stays. Roles that its groups gave end. With Discord, the tier of its memberships ends.',
  access: 'member',
  limits: ['changes'],
  params: { id: IdentityIdParam },
  rejections: { 404: 'No such way to sign in, or it is not yours.', 409: 'It is the last one.' },
})
