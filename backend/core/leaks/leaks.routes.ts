/** Reports of leaked secrets, from GitHub and from anyone. */
import { m as texts } from '#api-messages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as leaks from '#contract/users/leaks.ts'
import { RATES } from '#contract/api/limits.ts'
import { namesTooManySecrets } from '#contract/text/messages.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, invalid, invalidInput } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { acceptRawBodies, parseJson, rawBodyOf } from '#backend/platform/http/raw-body.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { isSigned, reportEntry } from './leaks.ts'

const MAX_BYTES = 1024 * 1024

/**
 * @param bindIn binds endpoints in the given Fastify scope.
 * @param endKey closes the event streams of a revoked API key on all nodes.
 */
export async function bindLeaks(
  panel: FastifyInstance,
  bindIn: (scope: FastifyInstance) => Bind,
  deps: Pick<Deps, 'env' | 'db' | 'clock' | 'bus'>,
  endKey: (apiKeyId: string) => void,
): Promise<void> {
  const { env, db } = deps
  const keys = env.LEAK_REPORT_PUBLIC_KEYS
  const unsigned = createRateLimit(deps, 'leaks')
  const takeUnsigned = (request: FastifyRequest, count: number) => {
    // More would never fit, however long the sender waits.
    const { burst: max } = RATES.leaks
    if (count > max) throw invalid('LEAK_REPORT_TOO_LONG', { max })
    unsigned.take(limitKey(clientAddress(request)), count)
  }
  await panel.register((scope, _options, done) => {
    acceptRawBodies(scope, MAX_BYTES)
    bindIn(scope)(leaks.report, async ({ request }) => {
      const body = rawBodyOf(request)
      const header = (name: string) => String(request.headers[name] ?? '')
      const isTrusted = keys.length > 0
      const signature = header('github-public-key-signature')
      if (isTrusted && signature === '') throw forbidden('SIGNATURE_MISSING')
      if (isTrusted && !isSigned(keys, header('github-public-key-identifier'), signature, body)) throw forbidden('SIGNATURE_INVALID')
      const report = parseJson(body)
      // The entries are not checked yet.
      if (!Array.isArray(report) || report.length === 0) throw invalidInput([texts.input_leaks_not_list()])
      if (!isTrusted) takeUnsigned(request, report.length)
      if (report.length > leaks.MAX_REPORTED) throw invalidInput([namesTooManySecrets(texts.field_report, leaks.MAX_REPORTED)()])
      const verdicts = []
      for (const entry of report) verdicts.push(await reportEntry(db, entry, endKey))
      return verdicts
    })
    done()
  })
}
