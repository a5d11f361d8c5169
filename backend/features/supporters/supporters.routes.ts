/** Notices have content parsers of their own: their signature is over the bytes as they came, so nothing may read them before it is checked. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notice } from '#contract/supporters.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, invalid, notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import type { Provider } from './provider.ts'
import { patreon } from './providers/patreon.ts'
import { takeNotice } from './supporters.ts'

const PROVIDERS: readonly Provider[] = [patreon]

const MAX_BYTES = 64 * 1024

/** @param bindIn binds endpoints in the given room as everywhere else. */
export async function bindSupporters(
  panel: FastifyInstance,
  bindIn: (room: FastifyInstance) => Bind,
  deps: Pick<Deps, 'env' | 'db' | 'log'>,
): Promise<void> {
  await panel.register((room, _options, done) => {
    room.removeAllContentTypeParsers()
    room.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, parsed) => parsed(null, body))
    // Before anything else: what nobody set up does not exist.
    room.addHook('onRequest', (request, _reply, next) => {
      providerOf(deps, request)
      next()
    })
    bindIn(room)(notice, ({ request }) => take(deps, request))
    done()
  })
}

async function take(deps: Pick<Deps, 'env' | 'db' | 'log'>, request: FastifyRequest) {
  const { env } = deps
  const { headers } = request
  const provider = providerOf(deps, request)
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (!provider.check(env, headers, body)) throw forbidden('The signature does not fit the body.')
  const said = provider.read(env, headers, parseJson(body))
  if (said !== 'ignored') await takeNotice(deps, provider.name, body, said)
}

function providerOf({ env }: Pick<Deps, 'env'>, request: FastifyRequest): Provider {
  const { provider: name } = request.params as { provider?: string }
  const provider = PROVIDERS.find((one) => one.name === name && one.isConfigured(env))
  if (provider === undefined) throw notFound('provider')
  return provider
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}
