/** Signing in and linking by OpenID Connect over HTTP, step by step, for tests that change a step. */
import * as identities from '#contract/users/identities.ts'
import { type FakeOidc, type OidcUser, followToCallback, startFakeOidc } from '#tests/fakes/fake-oidc.ts'
import { type TestApp, startApp } from './harness.ts'
import { type SignedInUser, signInCookie, testUser } from './test-user.ts'

/** A signed-in user, and the cookie of their session. */
export type Member = SignedInUser & { readonly cookie: string }

/** What the browser has when the provider sends it back. */
export interface Callback {
  readonly id: string
  readonly cookie: string
  readonly query: URLSearchParams
}

/** A program beside the local provider and two of OpenID Connect: `main` (Main ID) and `spare` (Spare ID). */
export async function startWithProviders(
  variables: Readonly<Record<string, string>> = {},
  ofMain: Readonly<Record<string, string>> = {},
): Promise<{ app: TestApp; main: FakeOidc; spare: FakeOidc }> {
  const [main, spare] = [await startFakeOidc(), await startFakeOidc()]
  const app = await startApp({
    ...main.variables('MAIN', { LABEL: 'Main ID', ...ofMain }),
    ...spare.variables('SPARE', { LABEL: 'Spare ID' }),
    ...variables,
  })
  await main.allow(`${app.panelUrl}/login/main/callback`)
  await spare.allow(`${app.panelUrl}/login/spare/callback`)
  return { app, main, spare }
}

const cookieIn = (headers: Headers, start: string): string =>
  headers
    .getSetCookie()
    .find((text) => text.startsWith(start))
    ?.split(';', 1)[0] ?? ''

/** Of a sign-in that has just begun. */
export const signInCookieOf = (headers: Headers): string => cookieIn(headers, 'muster_sign_in')

/** @param change of the address that the browser opens */
export async function beginOidc(
  app: TestApp,
  id: string,
  provider: FakeOidc,
  user: OidcUser,
  change: (url: URL) => void = () => {},
): Promise<Callback> {
  provider.user = user
  const begun = await app.anonymous.fetch(`/api/auth/oidc/${id}`)
  if (begun.status !== 200) throw new Error(await begun.text())
  const url = new URL(await begun.text())
  change(url)
  return { id, cookie: signInCookieOf(begun.headers), query: (await followToCallback(url.href)).searchParams }
}

/** What the callback page sends. @param id the provider whose callback was opened */
export function complete(app: TestApp, { id, cookie, query }: Callback, by?: Member): Promise<Response> {
  const path = id === 'discord' ? '/api/auth/discord' : `/api/auth/oidc/${id}`
  return app.anonymous.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: by === undefined ? cookie : `${cookie}; ${by.cookie}` },
    body: JSON.stringify(Object.fromEntries(query)),
  })
}

export async function signInByOidc(app: TestApp, id: string, provider: FakeOidc, user: OidcUser): Promise<Member> {
  return signedIn(app, await complete(app, await beginOidc(app, id, provider, user)))
}

/** By the local provider. */
export const signInLocally = async (app: TestApp, username: string): Promise<Member> =>
  memberOf(app, await signInCookie(app.panelUrl, username))

/** The user of a completed sign-in. */
export async function signedIn(app: TestApp, done: Response): Promise<Member> {
  if (done.status !== 204) throw new Error(`Signing in failed: ${await done.text()}`)
  return memberOf(app, cookieIn(done.headers, 'muster_session'))
}

async function memberOf(app: TestApp, cookie: string): Promise<Member> {
  const user = testUser(() => app.panelUrl, undefined, { cookie })
  const { data } = (await (await user.fetch('/api/auth/me')).json()) as { data: { id: string } }
  return { ...user, id: data.id, cookie }
}

/** Starts to link, and comes back from the provider. */
export async function beginLink(user: Member, id: string, provider: FakeOidc, as: OidcUser): Promise<Callback> {
  provider.user = as
  const begun = await user.call(identities.link, { body: { provider: id } })
  if (begun.status !== 200) throw new Error(begun.text)
  return { id, cookie: signInCookieOf(begun.headers), query: (await followToCallback(begun.text)).searchParams }
}

/** Links an identity to the user's account. */
export async function linkOidc(app: TestApp, user: Member, id: string, provider: FakeOidc, as: OidcUser): Promise<Response> {
  return complete(app, await beginLink(user, id, provider, as), user)
}
