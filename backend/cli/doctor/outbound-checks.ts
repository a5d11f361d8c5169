/** Checks of `doctor`: whether the receivers of webhooks can be reached. */
import type { Env } from '#backend/platform/env.ts'
import { createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

const TIMEOUT_MS = 5000

export function createOutboundChecks(env: Env): readonly Check[] {
  return [{ id: 'egress', title: 'Webhook egress', run: () => checkEgress(env) }]
}

/** The same client, name servers and rules as a delivery. Any reply will do; this path has none that counts against a limit. */
async function checkEgress({ DISCORD_API_URL: apiUrl, WEBHOOKS_PRIVATE, usesLocalIdentity }: Env): Promise<Finding> {
  const url = `${apiUrl}/gateway`
  try {
    const { status } = await createPostPublic({}, WEBHOOKS_PRIVATE)(url, { headers: {}, body: '', timeoutMs: TIMEOUT_MS })
    return ok(`${new URL(url).host} answers deliveries from here, with status ${status}.`)
  } catch (error) {
    // The sentence after the first is for people who entered the URL.
    const why = (error instanceof Error ? error.message : String(error)).replace(/\. .*$/s, '.')
    const problem = usesLocalIdentity ? warning : failed
    return problem(
      `A delivery to ${new URL(url).host} fails: ${why}`,
      'Allow outbound HTTPS (port 443) and DNS, or webhooks and Discord alerts fail.',
    )
  }
}
