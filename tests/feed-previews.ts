/** Previews of feeds, on a simulated internet. */
import { preview } from '#contract/public-site/feeds.ts'
import type { FetchPublic } from '#backend/platform/outbound/guarded-client.ts'
import { setTier } from './factories.ts'
import { type SignedInUser, type TestApp, startApp } from './harness.ts'

export const FEED_URL = 'https://feeds.example/news.xml'

/** A simulated internet with one document. */
export const answering =
  (text: string | Buffer, charset?: string, type = 'application/rss+xml'): FetchPublic =>
  () =>
    Promise.resolve({ body: Buffer.from(text), type, charset })

export async function startWith(
  fetchPublic: FetchPublic,
  variables: Record<string, string> = {},
): Promise<{ app: TestApp; owner: SignedInUser }> {
  const app = await startApp(variables, { fetchPublic })
  const owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  return { app, owner }
}

/** Previews a document. Without one, nothing may be fetched. */
export type Previews = Awaited<ReturnType<typeof startPreviews>>

/** Starts one app for many documents. */
export async function startPreviews() {
  let document: FetchPublic | undefined
  const { owner } = await startWith((...args) => document?.(...args) ?? Promise.reject(new Error('Nothing may be fetched.')))
  return {
    of(text: string | Buffer, charset?: string) {
      document = answering(text, charset)
      return owner.call(preview, { body: { url: FEED_URL } })
    },
    ofAddress(url: string) {
      document = undefined
      return owner.call(preview, { body: { url } })
    },
  }
}

export const rss = (
  items: string,
  title = 'News',
): string => `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>${title}</title>${items}</channel></rss>`
