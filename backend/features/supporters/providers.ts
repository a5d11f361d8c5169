/** Every provider of supporters. */
import type { Env } from '#backend/platform/env.ts'
import type { Provider } from './provider.ts'
import { patreon } from './providers/patreon.ts'

const PROVIDERS: readonly Provider[] = [patreon]

/** The provider of this name; undefined where there is none, or where nobody set it up. */
export function providerNamed(env: Env, name: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.name === name && provider.isConfigured(env))
}
