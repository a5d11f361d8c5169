/**
 * Replaces Discord on a development machine with the same calls (authorize page, token endpoint, `/users/@me`), so that the sign-in code is
 * the same. Anyone can sign in as any user, so it does not exist in production, and by default the panel then listens on this machine only
 * (docs/decisions/0003-identity.md).
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { WEB_FOLDER } from '#backend/platform/http/pages.ts'
import { insertUsedState } from './auth.ts'
import { challengeOf, type IdentityProvider } from './discord.ts'
import { authorizePage, pageCss } from './local-provider.page.ts'

const BASE = '/local-discord'
const PLAYERS_CALLBACK = '/cloud-auth/callback'
const LOCAL_CLIENT_ID = 'muster-local'
const CLIENT_SECRET = randomBytes(16).toString('hex')
const CODE_MS = 60_000
const hashOf = (text: string) => hash('sha256', text, 'buffer')
const USERNAME = /^[a-z0-9._]{2,32}$/

/** Where this process serves the panel: `origin` for browsers, address and port for itself. */
export interface LocalPanel {
  readonly origin: string
  readonly address: string
  readonly port: number
}

export function localProvider({ origin, address, port }: LocalPanel, redirectUri: string): IdentityProvider {
  const host = address.includes(':') ? `[${address}]` : address
  return {
    authorizeUrl: `${origin}${BASE}/oauth2/authorize`,
    apiUrl: `http://${host}:${port}${BASE}/api/v10`,
    clientId: LOCAL_CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirectUri,
  }
}

const Authorize = z.object({
  response_type: z.literal('code'),
  client_id: z.literal(LOCAL_CLIENT_ID),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  state: z.string().min(1).max(512),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
  scope: z.string(),
  username: z
    .string()
    .transform((name) => name.trim().toLowerCase())
    .optional(),
})

const Token = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  client_id: z.literal(LOCAL_CLIENT_ID),
  client_secret: z.string(),
  code_verifier: z.string(),
})

/** What a code or token carries, so that any node with the same cookie secret accepts it. */
const Grant = z.strictObject({
  kind: z.enum(['code', 'token']),
  username: z.string(),
  redirectUri: z.string(),
  challenge: z.string(),
  /** Wall milliseconds. */
  until: z.number(),
})
type Grant = z.output<typeof Grant>

/** Serves the provider's three endpoints on the panel's listener. */
export async function serveLocalProvider(panel: FastifyInstance, deps: Pick<Deps, 'env' | 'clock' | 'db'>): Promise<void> {
  if (deps.env.isProduction) throw new Error('The local identity provider does not exist in production.')
  // In its own Fastify scope, because only Discord's token call is form-encoded.
  await panel.register((app, _options, done) => {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, parsed) => {
      parsed(null, Object.fromEntries(new URLSearchParams(String(body))))
    })
    serveCalls(app, deps)
    done()
  })
}

/** The text font of the built panel. Undefined without a build, as in development. */
function fontAddress(): string | undefined {
  const folder = join(WEB_FOLDER, 'assets')
  const font = existsSync(folder) ? readdirSync(folder).find((name) => /^inter-latin-(?!ext).*\.woff2$/.test(name)) : undefined
  return font === undefined ? undefined : `/assets/${font}`
}

function serveCalls(app: FastifyInstance, { env, clock, db }: Pick<Deps, 'env' | 'clock' | 'db'>): void {
  const issue = (grant: Omit<Grant, 'until'>): string =>
    app.signCookie(Buffer.from(JSON.stringify({ ...grant, until: clock.now() + CODE_MS } satisfies Grant)).toString('base64url'))
  /** Undefined if it is forged, expired or of the other kind. */
  const read = (text: string, kind: Grant['kind']): Grant | undefined => {
    const { valid, value } = app.unsignCookie(text)
    if (!valid) return undefined
    const grant = Grant.safeParse(parseJson(Buffer.from(value, 'base64url').toString()))
    return grant.success && grant.data.kind === kind && grant.data.until > clock.now() ? grant.data : undefined
  }

  const css = pageCss(fontAddress())
  app.get(`${BASE}/page.css`, (_request, reply) => reply.type('text/css; charset=utf-8').send(css))

  app.get(`${BASE}/oauth2/authorize`, (request, reply) => {
    const query = Authorize.safeParse(request.query)
    const isOwnPage = query.success && isOwnRedirect(env, request, new URL(query.data.redirect_uri))
    if (!query.success || !isOwnPage)
      return reply.code(400).type('text/plain; charset=utf-8').send('This sign-in was not started by the panel. Go back and start again.')
    const { username, redirect_uri, state, code_challenge } = query.data
    reply.header('cache-control', 'no-store')
    if (username === undefined || !USERNAME.test(username)) {
      reply.header('content-security-policy', policyFor(redirect_uri))
      return reply.type('text/html; charset=utf-8').send(authorizePage(request.query as Record<string, string>, username))
    }
    const code = issue({ kind: 'code', username, redirectUri: redirect_uri, challenge: code_challenge })
    const redirect = new URL(redirect_uri)
    redirect.search = new URLSearchParams({ code, state }).toString()
    return reply.redirect(redirect.href)
  })

  app.post(`${BASE}/api/v10/oauth2/token`, async (request, reply) => {
    const body = Token.safeParse(request.body)
    const pending = body.success ? read(body.data.code, 'code') : undefined
    if (!body.success || pending === undefined) return reply.code(400).send({ error: 'invalid_grant' })
    if (!(await insertUsedState(db, hashOf(body.data.code), new Date(pending.until))))
      return reply.code(400).send({ error: 'invalid_grant' })
    if (!timingSafeEqual(hashOf(body.data.client_secret), hashOf(CLIENT_SECRET))) return reply.code(401).send({ error: 'invalid_client' })
    if (body.data.redirect_uri !== pending.redirectUri) return reply.code(400).send({ error: 'invalid_grant' })
    if (challengeOf(body.data.code_verifier) !== pending.challenge)
      return reply.code(400).send({ error: 'invalid_request', error_description: 'Invalid "code_verifier"' })
    const token = issue({ ...pending, kind: 'token' })
    return reply.send({ access_token: token, token_type: 'Bearer', expires_in: CODE_MS / 1000, scope: 'identify' })
  })

  app.get(`${BASE}/api/v10/users/@me`, (request, reply) => {
    const username = read((request.headers.authorization ?? '').replace(/^Bearer /, ''), 'token')?.username
    if (username === undefined) return reply.code(401).send({ message: '401: Unauthorized', code: 0 })
    return reply.send({ id: snowflakeOf(username), username, discriminator: '0', global_name: null, avatar: null })
  })
}

/** Undefined for anything else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Browsers check `form-action` at each redirect: to the redirect URL, and for players on to their own machine. */
function policyFor(redirectUri: string): string {
  const { origin } = new URL(redirectUri)
  return `default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${origin} http://127.0.0.1:*`
}

/** Whether the redirect leads to a page of the panel or to the master list's callback for players. */
function isOwnRedirect(env: Env, request: FastifyRequest, redirect: URL): boolean {
  if (redirect.host === (env.PUBLIC_URL === undefined ? request.host : new URL(env.PUBLIC_URL).host)) return true
  if (!redirect.pathname.endsWith(PLAYERS_CALLBACK)) return false
  // Without a configured URL, the list is on another port of the same machine.
  if (env.MASTERLIST_PUBLIC_URL === undefined) return redirect.hostname === request.hostname
  return redirect.host === new URL(env.MASTERLIST_PUBLIC_URL).host
}

/** Deterministic by name, with 18 digits like Discord's. */
export function snowflakeOf(username: string): string {
  const number = hashOf(username).readBigUInt64BE() % 900_000_000_000_000_000n
  return String(100_000_000_000_000_000n + number)
}
