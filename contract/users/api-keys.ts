/** API keys: secrets with which programs call the panel's API for a user. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { ApiKeyIdParam } from '#contract/api/path-params.ts'
import { SCOPE_KEYS } from './scopes.ts'
import { wholeNumber } from '#contract/text/numbers.ts'
import { line } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'

/** Keys of one user that are neither expired nor revoked. */
export const MAX_API_KEYS = 20
export const API_KEY_NAME = { min: 1, max: 64 } as const
export const API_KEY_DAYS = { min: 1, max: 365 } as const

const ScopeEnum = z.enum(SCOPE_KEYS, { error: m.mustBeOneOf(texts.field_scope, SCOPE_KEYS) }).meta({ id: 'Scope' })

const Scopes = z
  .array(ScopeEnum, { error: texts.input_scopes_not_list })
  .min(1, { error: texts.input_scopes_empty })
  .refine((scopes) => new Set(scopes).size === scopes.length, { error: texts.input_scope_repeated })

export const NewApiKey = z
  .strictObject({
    name: line({ label: texts.field_name, ...API_KEY_NAME }),
    scopes: Scopes,
    expires_in_days: wholeNumber('expires_in_days', API_KEY_DAYS),
  })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.output<typeof NewApiKey>

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The beginning of the key, `msk_` and 8 characters, by which the owner recognizes it.'),
    scopes: z.array(ScopeEnum),
    created_at: Time,
    last_used_at: Time.nullable().describe('Exact to the minute. Null if the key was never used.'),
    expires_at: Time,
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof ApiKey>

export const ApiKeyWithSecret = ApiKey.extend({
  key: z.string().describe('Shown only in this reply. Send it as `Authorization: Bearer msk_…`.'),
}).meta({ id: 'ApiKeyWithSecret' })
export type ApiKeyWithSecret = z.output<typeof ApiKeyWithSecret>

export const list = endpoint('GET /api/users/api-keys', {
  summary: 'List your API keys',
  description: 'Oldest first. Revoked keys are left out. Expired keys stay for 90 days.',
  access: 'member',
  reply: z.array(ApiKey),
})

export const create = endpoint('POST /api/users/api-keys', {
  summary: 'Create an API key',
  description: `The reply has the key. It is never shown again. At most ${MAX_API_KEYS} keys that are neither expired nor revoked.`,
  access: 'member',
  limits: ['changes'],
  body: NewApiKey,
  reply: ApiKeyWithSecret,
})

export const revoke = endpoint('DELETE /api/users/api-keys/{id}', {
  summary: 'Revoke an API key',
  description: 'The key stops working at once, on every node.',
  access: 'member',
  rejections: { 404: 'No such key, or it is not yours.' },
  params: { id: ApiKeyIdParam },
})
