/** A simulated internet with one feed. */
import { type FetchPublic } from '#backend/platform/http/guarded-client.ts'
import { setTier } from './factories.ts'
import { type SignedInUser, type TestApp, startApp } from './harness.ts'

export const url = 'https://feeds.example/news.xml'

export const answering =
  (text: string | Buffer, charset?: string, type = 'application/rss+xml'): FetchPublic =>
  () =>
    Promise.resolve({ body: Buffer.from(text), type, charset })

/** An owner who may preview feeds. */
export async function startWith(
  fetchPublic: FetchPublic,
  variables: Record<string, string> = {},
): Promise<{ app: TestApp; owner: SignedInUser }> {
  const app = await startApp(variables, { fetchPublic })
  const owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  return { app, owner }
}

export const rss = (
  items: string,
  title = 'News',
) => `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>${title}</title>${items}</channel></rss>`
