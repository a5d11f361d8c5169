/** Sign-in through Discord, and sign-out. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import { requiredText } from '#contract/text/text.ts'

const SignIn = z.strictObject({
  code: requiredText(texts.field_code, 512),
  state: requiredText(texts.field_state, 512),
})

export const authorizeUrl = endpoint('GET /api/auth/discord', {
  summary: 'Get the address of the sign-in page',
  description: 'Open it in a browser. The reply sets a short-lived cookie with the state and the PKCE verifier.',
  access: 'public',
  envelope: 'text',
  reply: z.string(),
  rejections: { 503: 'No identity provider is configured.' },
})

export const signIn = endpoint('POST /api/auth/discord', {
  summary: 'Sign in',
  description: 'Exchanges the code for an identity and sets the session cookie.',
  access: 'public',
  limits: ['sign-ins'],
  body: SignIn,
  rejections: {
    400: 'The state is wrong, used or expired.',
    502: 'Discord is down, or rejected the request.',
    503: 'No identity provider is configured.',
  },
})

export const logOut = endpoint('POST /api/auth/logout', {
  summary: 'Sign out',
  description: 'Ends this session.',
  access: 'session',
})
