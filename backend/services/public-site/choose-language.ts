/** `POST /browse/language`: the language menu of the public pages, which works without scripts. */
import type { FastifyInstance } from 'fastify'
import type { Env } from '#backend/platform/env.ts'
import { invalidInput } from '#backend/platform/errors.ts'
import { rejectCrossSite } from '#backend/platform/http/bind.ts'
import { originOf } from '#backend/platform/http/public-addresses.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { mustBeOneOf } from '#contract/text/messages.ts'

const YEAR_SECONDS = 31_536_000
const MAX_BYTES = 200

/** Sets the cookie that the panel's own menu sets, and shows the page that the visitor came from. */
export function serveLanguageChoice(panel: FastifyInstance, env: Env): void {
  void panel.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    scope.post('/browse/language', (request, reply) => {
      rejectCrossSite(request, env.PUBLIC_URL)
      const chosen = request.body instanceof URLSearchParams ? request.body.get('language') : null
      const language = PANEL_LANGUAGES.find((each) => each === chosen)
      if (language === undefined) throw invalidInput([mustBeOneOf('language', PANEL_LANGUAGES)()])
      const origin = originOf(env, request)
      // The panel's script must be able to replace it.
      reply.setCookie('muster_language', language, {
        path: '/',
        sameSite: 'lax',
        secure: origin.startsWith('https:'),
        maxAge: YEAR_SECONDS,
      })
      return reply.header('cache-control', 'no-store').redirect(previousPage(request.headers.referer, origin), 303)
    })
  })
}

/** Only a public page of this origin. */
function previousPage(referer: string | undefined, origin: string): string {
  const url = referer === undefined ? null : URL.parse(referer)
  return url?.origin === origin && /^\/(?:browse|s\/[^/]+)$/.test(url.pathname) ? url.pathname + url.search : '/browse'
}
