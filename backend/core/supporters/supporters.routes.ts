/** Webhooks of payment providers. Bodies stay raw bytes until their signature, which covers exactly these bytes, is verified. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { webhook } from '#contract/users/supporters.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, invalid, notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { decodeUtf8 } from '#backend/platform/http/utf8.ts'
import type { Provider } from './provider.ts'
import { patreon } from './providers/patreon.ts'
import { applyDelivery } from './supporters.ts'

const PROVIDERS: readonly Provider[] = [patreon]

const MAX_BYTES = 64 * 1024

/** @param bindIn binds endpoints in the given Fastify scope. */
export async function bindSupporters(
  panel: FastifyInstance,
  bindIn: (scope: FastifyInstance) => Bind,
  deps: Pick<Deps, 'env' | 'db' | 'log'>,
): Promise<void> {
  await panel.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, parsed) => parsed(null, body))
    // Before anything else: a provider without configuration is a 404.
    scope.addHook('onRequest', (request, _reply, next) => {
      providerOf(deps, request)
      next()
    })
    bindIn(scope)(webhook, ({ request }) => receive(deps, request))
    done()
  })
}

async function receive(deps: Pick<Deps, 'env' | 'db' | 'log'>, request: FastifyRequest) {
  const { env } = deps
  const { headers } = request
  const provider = providerOf(deps, request)
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (!provider.verifySignature(env, headers, body)) throw forbidden('SIGNATURE_INVALID')
  const event = provider.parseEvent(env, headers, parseJson(body))
  if (event !== 'ignored') await applyDelivery(deps, provider.name, body, event)
}

function providerOf({ env }: Pick<Deps, 'env'>, request: FastifyRequest): Provider {
  const { provider: name } = request.params as { provider?: string }
  const provider = PROVIDERS.find((candidate) => candidate.name === name && candidate.isConfigured(env))
  if (provider === undefined) throw notFound('PROVIDER_NOT_FOUND')
  return provider
}

function parseJson(body: Buffer): unknown {
  const text = decodeUtf8(body)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalid('BODY_NOT_JSON')
  }
}
