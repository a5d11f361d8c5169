/** What an API key may do. Each endpoint of the contract names at most one scope; without one it is closed to API keys. */
export const SCOPES = {
  'servers:read': { title: 'Read servers', hint: 'List servers, their status, announces and issues.' },
  'servers:write': { title: 'Change servers', hint: 'Create, change and delete servers, and answer issues.' },
  'credentials:write': { title: 'Reissue credentials', hint: 'Issue new credentials and reset bound addresses.' },
  'history:read': { title: 'Read player history', hint: 'Read the player counts of servers.' },
  'managers:write': { title: 'Change managers', hint: 'Add, change and remove managers.' },
  'transfers:write': { title: 'Transfer servers', hint: 'Request, accept and cancel transfers.' },
  'benefits:write': { title: 'Change benefits', hint: 'Change benefit settings, groups and images.' },
  'webhooks:write': { title: 'Change webhooks', hint: 'Create, change and delete webhooks.' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly hint: string }>>

export type Scope = keyof typeof SCOPES
export const SCOPE_KEYS = Object.keys(SCOPES) as [Scope, ...Scope[]]
