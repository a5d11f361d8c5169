/** Patreon's webhook. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { webhook } from '#contract/users/supporters.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { acceptRawBodies, parseJson, rawBodyOf } from '#backend/platform/http/raw-body.ts'
import { isSigned, parseEvent } from './patreon.ts'
import { applyDelivery } from './supporters.ts'

const PROVIDER = 'patreon'
const MAX_BYTES = 64 * 1024

/** @param bindIn binds endpoints in the given Fastify scope. */
export async function bindSupporters(
  panel: FastifyInstance,
  bindIn: (scope: FastifyInstance) => Bind,
  deps: Pick<Deps, 'env' | 'db' | 'log'>,
): Promise<void> {
  await panel.register((scope, _options, done) => {
    acceptRawBodies(scope, MAX_BYTES)
    // Before anything else: a provider without configuration is a 404.
    scope.addHook('onRequest', (request, _reply, next) => {
      secretOf(deps, request)
      next()
    })
    bindIn(scope)(webhook, ({ request }) => receive(deps, request))
    done()
  })
}

async function receive(deps: Pick<Deps, 'env' | 'db' | 'log'>, request: FastifyRequest) {
  const { headers } = request
  const secret = secretOf(deps, request)
  const body = rawBodyOf(request)
  if (!isSigned(secret, headers, body)) throw forbidden('SIGNATURE_INVALID')
  const event = parseEvent(deps.env.PATREON_TIERS, headers, parseJson(body))
  if (event !== undefined) await applyDelivery(deps, PROVIDER, body, event)
}

function secretOf({ env }: Pick<Deps, 'env'>, request: FastifyRequest): string {
  const { provider } = request.params as { provider?: string }
  if (provider !== PROVIDER || env.PATREON_WEBHOOK_SECRET === undefined) throw notFound('PROVIDER_NOT_FOUND')
  return env.PATREON_WEBHOOK_SECRET
}
