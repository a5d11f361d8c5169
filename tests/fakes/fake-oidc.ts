/** A real provider of OpenID Connect (`oidc-provider`) on a real listener, which signs in the user that the test sets, without a page. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWK, SignJWT, decodeJwt, exportJWK, generateKeyPair, importJWK } from 'jose'
import Provider from 'oidc-provider'

export interface OidcUser {
  sub: string
  preferred_username?: string
  nickname?: string
  name?: string
  email?: string
  groups?: string[]
}

type Claims = Readonly<Record<string, unknown>>

export interface FakeOidc {
  readonly issuer: string
  /** The environment of a program that uses it. @param name NAME of its variables */
  variables(name: string, more?: Readonly<Record<string, string>>): Record<string, string>
  /** Who signs in next. */
  user: OidcUser
  /** Every call answers 503. */
  isDown: boolean
  /** Changes the ID tokens that it signs. `key: 'other'` signs with a key that it does not publish. */
  forge: ((claims: Claims) => { claims?: Claims; key?: 'other' }) | undefined
  /** What discovery says instead of its issuer. */
  saidIssuer: string | undefined
  /** Registers Muster's callback. */
  allow(redirectUri: string): Promise<void>
  /** Replaces its signing key, and forgets what it has issued. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

const CLIENT = { client_id: 'muster', client_secret: 'the-secret-of-the-tests' }

export async function startFakeOidc(): Promise<FakeOidc> {
  const redirectUris: string[] = []
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => {
    if (fake.isDown) response.writeHead(503).end()
    else answer(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: FakeOidc = {
    issuer,
    variables: (name, more = {}) => ({
      [`OIDC_${name}_ISSUER`]: issuer,
      [`OIDC_${name}_CLIENT_ID`]: CLIENT.client_id,
      [`OIDC_${name}_CLIENT_SECRET`]: CLIENT.client_secret,
      ...Object.fromEntries(Object.entries(more).map(([suffix, value]) => [`OIDC_${name}_${suffix}`, value])),
    }),
    user: { sub: 'nobody' },
    isDown: false,
    forge: undefined,
    saidIssuer: undefined,
    allow: (redirectUri) => {
      redirectUris.push(redirectUri)
      return fake.rotateKeys()
    },
    async rotateKeys() {
      answer = listenerOf(fake, redirectUris, await newKey(), await newKey())
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

/** Private, with its ID. */
async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' }
}

function listenerOf(fake: FakeOidc, redirectUris: readonly string[], key: JWK, otherKey: JWK): RequestListener {
  /** Who has signed in, by subject. */
  const accounts = new Map<string, OidcUser>()
  const provider = new Provider(fake.issuer, {
    adapter: createAdapter(),
    clients: [{ ...CLIENT, redirect_uris: redirectUris, id_token_signed_response_alg: 'ES256' }],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(16).toString('hex')], names: cookieNames() },
    scopes: ['openid', 'profile', 'groups'],
    claims: { openid: ['sub'], profile: ['preferred_username', 'nickname', 'name', 'email'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...accounts.get(sub) }) }),
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile groups')
      await grant.save()
      return grant
    },
    renderError: (ctx: { body: unknown }, error: unknown) => {
      ctx.body = error
    },
  })
  provider.use(async (ctx, next) => {
    await next()
    const { body, oidc } = ctx
    if (fake.saidIssuer !== undefined && oidc?.route === 'discovery') ctx.body = { ...(body as object), issuer: fake.saidIssuer }
    if (fake.forge !== undefined && oidc?.route === 'token')
      ctx.body = await forged(body as { id_token: string }, fake.forge, key, otherKey)
  })
  const listener = provider.callback()
  return (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return listener(request, response)
    accounts.set(fake.user.sub, fake.user)
    void provider.interactionFinished(request, response, { login: { accountId: fake.user.sub, remember: false } })
  }
}

async function forged(
  body: { id_token: string },
  forge: NonNullable<FakeOidc['forge']>,
  key: JWK,
  otherKey: JWK,
): Promise<{ id_token: string }> {
  const original = decodeJwt(body.id_token)
  const { claims = original, key: which } = forge(original)
  const signer = await importJWK(which === 'other' ? otherKey : key, 'ES256')
  return { ...body, id_token: await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: key.kid ?? '' }).sign(signer) }
}

/** Of every fake provider. */
export const SESSION_COOKIE = /^oidc_session_/

/** Cookies ignore ports, and one browser visits several providers. */
function cookieNames() {
  const suffix = randomUUID()
  return { interaction: `oidc_interaction_${suffix}`, resume: `oidc_resume_${suffix}`, session: `oidc_session_${suffix}` }
}

/** The package's own one in memory warns. */
function createAdapter() {
  const stored = new Map<string, Record<string, unknown>>()
  return class {
    readonly #model: string
    constructor(model: string) {
      this.#model = model
    }
    upsert(id: string, payload: Record<string, unknown>) {
      stored.set(`${this.#model} ${id}`, payload)
    }
    find(id: string) {
      return stored.get(`${this.#model} ${id}`)
    }
    findByUid(uid: string) {
      return [...stored.values()].find((payload) => payload['uid'] === uid)
    }
    destroy(id: string) {
      stored.delete(`${this.#model} ${id}`)
    }
    consume(id: string) {
      const payload = this.find(id)
      if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000)
    }
    revokeByGrantId(grantId: string) {
      for (const [key, payload] of stored) if (payload['grantId'] === grantId) stored.delete(key)
    }
  }
}

/** Opens the provider's page as a browser does, and follows it to the callback. */
export async function followToCallback(authorizeUrl: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(authorizeUrl)
  const { origin } = url
  for (let step = 0; step < 6 && url.origin === origin; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const text of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = text.split(';', 1)[0]?.split(/=(.*)/s) ?? []
      jar.set(name, value)
    }
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`${url.pathname} answered ${reply.status}: ${await reply.text()}`)
    url = new URL(location, url)
  }
  return url
}
