/** What an API key may do. Each endpoint of the contract names at most one scope; without one it is closed to API keys. */
import { m } from '#api-messages'
export const SCOPES = {
  'servers:read': { title: () => m.scope_servers_read(), hint: () => m.scope_servers_read_hint() },
  'servers:write': { title: () => m.scope_servers_write(), hint: () => m.scope_servers_write_hint() },
  'credentials:write': { title: () => m.scope_credentials_write(), hint: () => m.scope_credentials_write_hint() },
  'history:read': { title: () => m.scope_history_read(), hint: () => m.scope_history_read_hint() },
  'managers:write': { title: () => m.scope_managers_write(), hint: () => m.scope_managers_write_hint() },
  'transfers:write': { title: () => m.scope_transfers_write(), hint: () => m.scope_transfers_write_hint() },
  'benefits:write': { title: () => m.scope_benefits_write(), hint: () => m.scope_benefits_write_hint() },
  'webhooks:write': { title: () => m.scope_webhooks_write(), hint: () => m.scope_webhooks_write_hint() },
} as const satisfies Readonly<Record<string, { readonly title: () => string; readonly hint: () => string }>>

export type Scope = keyof typeof SCOPES
export const SCOPE_KEYS = Object.keys(SCOPES) as [Scope, ...Scope[]]
