import * as apiKeys from '#contract/users/api-keys.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { type ApiKeyRow, createApiKey, listApiKeys, parseScopes, revokeApiKey, sessionKeyOf } from './api-keys.ts'

const presentKey = ({ id, name, prefix, scopes, created_at, last_used_at, expires_at }: ApiKeyRow): apiKeys.ApiKey => ({
  id,
  name,
  prefix,
  scopes: parseScopes(scopes),
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  expires_at: expires_at.toISOString(),
})

/** @param endStreamsOf closes the key's event streams on all nodes. */
export function bindApiKeys(bind: Bind, { db }: Pick<Deps, 'db'>, endStreamsOf: (sessionKey: string) => void): void {
  bind(apiKeys.list, async ({ caller }) => (await listApiKeys(db, caller.userId)).map(presentKey))

  bind(apiKeys.create, async ({ caller, body }) => {
    const { row, key } = await createApiKey(db, caller.userId, body)
    return { ...presentKey(row), key: key.reveal() }
  })

  bind(apiKeys.revoke, async ({ caller, params }) => {
    await revokeApiKey(db, caller.userId, params.id)
    endStreamsOf(sessionKeyOf(params.id))
  })
}
