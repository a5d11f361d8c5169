/** Sign-in through Discord or OpenID Connect, by a recovery link, and sign-out. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import { SignInProviderParam } from '#contract/api/path-params.ts'
import { requiredText } from '#contract/text/text.ts'

const SignIn = z.strictObject({
  code: requiredText(texts.field_code, 512),
  state: requiredText(texts.field_state, 512),
})

const COOKIE = 'Open it in a browser. The reply sets a short-lived cookie with the state and the PKCE verifier.'
const LINKING = 'If the sign-in was started by `POST /api/users/identities`, it links the identity to the signed-in account instead.'

const SignInProvider = z
  .object({
    id: z.string().describe('`discord`, or the ID of an OpenID Connect provider.'),
    label: z.string().describe('Its display name.'),
  })
  .meta({ id: 'SignInProvider' })
export type SignInProvider = z.output<typeof SignInProvider>

export const providers = endpoint('GET /api/auth/providers', {
  summary: 'List the ways to sign in',
  description: 'Discord first, then the others by label. One that is down is listed, too.',
  access: 'public',
  reply: z.array(SignInProvider),
})

export const authorizeUrl = endpoint('GET /api/auth/discord', {
  summary: 'Get the address of the sign-in page',
  description: COOKIE,
  access: 'public',
  envelope: 'text',
  reply: z.string(),
  rejections: { 503: 'Discord is not configured.' },
})

const linking = { 409: 'The identity to be linked belongs to another account, or the account has another one of this provider.' }

export const signIn = endpoint('POST /api/auth/discord', {
  summary: 'Sign in',
  description: `Exchanges the code for an identity and sets the session cookie. ${LINKING}`,
  access: 'public',
  limits: ['sign-ins'],
  body: SignIn,
  rejections: {
    400: 'The state is wrong, used or expired.',
    ...linking,
    502: 'Discord is down, or rejected the request.',
    503: 'Discord is not configured.',
  },
})

const ofProvider = { access: 'public', params: { id: SignInProviderParam } } as const

export const oidcAuthorizeUrl = endpoint('GET /api/auth/oidc/{id}', {
  summary: 'Get the address of a provider’s sign-in page',
  description: COOKIE,
  ...ofProvider,
  envelope: 'text',
  reply: z.string(),
  rejections: { 404: 'No such provider.', 502: 'The provider is down.' },
})

export const oidcSignIn = endpoint('POST /api/auth/oidc/{id}', {
  summary: 'Sign in with OpenID Connect',
  description: `Exchanges the code for an identity and sets the session cookie. ${LINKING}`,
  ...ofProvider,
  limits: ['sign-ins'],
  body: SignIn.extend({ iss: requiredText(texts.field_issuer, 2048).optional() }),
  rejections: {
    400: 'The state is wrong, used, expired or of another provider, or the code is wrong.',
    404: 'No such provider.',
    ...linking,
    502: 'The provider is down, or did not confirm the sign-in.',
  },
})

export const recover = endpoint('POST /api/auth/recovery', {
  summary: 'Sign in with a recovery link',
  description: 'Operators make such links with `muster users recover`. The token is the part of the address after `#`.',
  access: 'public',
  limits: ['sign-ins'],
  body: z.strictObject({ token: requiredText(texts.field_token, 512) }),
  rejections: { 400: 'The link is wrong, used, expired or replaced.' },
})

export const logOut = endpoint('POST /api/auth/logout', {
  summary: 'Sign out',
  description: 'Ends this session.',
  access: 'session',
})
