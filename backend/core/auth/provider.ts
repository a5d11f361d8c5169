/** Selects the identity provider: Discord if configured, else the local one if allowed. */
import type { Env } from '#backend/platform/env.ts'
import type { IdentityProvider } from './discord.ts'
import { type LocalPanel, localProvider } from './local-provider.ts'

/**
 * Undefined if there is none. @param redirectUri OAuth redirect target. @param panel where this process serves the panel and the local
 * provider.
 */
export function identityProvider(env: Env, redirectUri: string, panel: LocalPanel): IdentityProvider | undefined {
  if (env.usesLocalIdentity) return localProvider(panel, redirectUri)
  if (env.DISCORD_CLIENT_ID === undefined || env.DISCORD_CLIENT_SECRET === undefined) return undefined
  return {
    authorizeUrl: env.DISCORD_AUTHORIZE_URL,
    apiUrl: env.DISCORD_API_URL,
    clientId: env.DISCORD_CLIENT_ID,
    clientSecret: env.DISCORD_CLIENT_SECRET,
    redirectUri,
  }
}
