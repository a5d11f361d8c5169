/** Descriptions of path parameters for the OpenAPI document. The rules validate their values. */
import { z } from 'zod'
import { BENEFIT_KEYS, SETTINGS_KEYS } from '#contract/benefits/benefits.ts'
import { documentedAs } from './documented.ts'

const id = (description: string, format?: 'uuid') =>
  documentedAs(z.string(), { type: 'string', description, ...(format !== undefined && { format }) })

const oneOf = (values: readonly string[], description: string) => documentedAs(z.string(), { type: 'string', enum: values, description })

export const PublicIdParam = documentedAs(z.string(), {
  type: 'string',
  pattern: '^[0-9A-Za-z]{7}$',
  description: 'The public ID of a server: 7 characters of 0-9A-Za-z.',
  example: 'AbCd123',
})
export const PublicOrVanityIdParam = id('The public ID or the vanity ID of a server.')
export const UserIdParam = id('The ID of a user.', 'uuid')
export const OwnerIdParam = id('The ID of the user who owns the servers.', 'uuid')
export const GroupIdParam = id('The ID of a group.', 'uuid')
export const TransferIdParam = id('The ID of a transfer.', 'uuid')
export const ManagementIdParam = id('The ID of the grant: `id` in `recieved_managements`.', 'uuid')
export const ApiKeyIdParam = id('The ID of an API key.', 'uuid')
export const IssueIdParam = id('The ID of a protection issue.', 'uuid')
export const WebhookIdParam = id('The ID of a webhook.', 'uuid')
export const DeliveryIdParam = id('The ID of a delivery.', 'uuid')
export const SessionIdParam = id('The ID of a session.', 'uuid')
export const DiscordNameParam = id('The whole name on Discord or another provider, case-insensitive.')
export const SignInProviderParam = id('The ID of a provider: NAME of `OIDC_NAME_ISSUER` in lower case.')
export const IdentityIdParam = id('The ID of an identity, such as a Discord ID.')
export const BenefitKeyParam = oneOf(BENEFIT_KEYS, 'The key of a benefit, case-insensitive.')
export const SettingsKeyParam = oneOf(SETTINGS_KEYS, 'The key of a benefit that has settings, case-insensitive.')
export const PointsRangeParam = oneOf(['1d', '7d', '31d'], 'How far back the history goes.')
export const ProviderParam = oneOf(['patreon'], 'The service that sends the webhook.')
