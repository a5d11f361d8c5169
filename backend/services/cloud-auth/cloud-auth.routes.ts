/** Cloud auth on the master list's listener, in its own Fastify scope: no other route there parses JSON through Fastify. */
import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist/cloud-auth.ts'
import { type Endpoint, type ReplyIn, parseRoute } from '#contract/api/endpoint.ts'
import type { IdentityProvider } from '#backend/core/auth/discord.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AppError, invalid } from '#backend/platform/errors.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type Reply, rejectionReply, sendReply } from '#backend/masterlist/wire/reply.ts'
import { matchesEtag } from '#backend/platform/http/negotiation.ts'
import { acceptJson } from '#backend/platform/http/accept-json.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import { parse } from '#backend/platform/http/validation.ts'
import { sendCallback } from './callback.page.ts'
import { KeyRing } from './key-ring.ts'
import { playerIdsIn } from './player-ids.ts'
import { CALLBACK, createSignIn, listUrl, playerIdentityProvider } from './player-sign-in.ts'
import { Tickets } from './tickets.ts'

const JWKS_SECONDS = 600
const NOT_SET_UP_SECONDS = 60
const MAX_BYTES = 8192

interface CloudAuthParts {
  readonly deps: Deps
  readonly list: Pick<RunningMasterList, 'registry' | 'pipeline'>
  readonly ring: KeyRing
  readonly tickets: Tickets
  readonly providerFor: (request: FastifyRequest) => IdentityProvider | undefined
}

/** @param panelAddress where this process serves the panel; undefined while it is not listening. */
export async function serveCloudAuth(
  masterlist: FastifyInstance,
  deps: Deps,
  list: CloudAuthParts['list'],
  panelAddress: () => AddressInfo | undefined,
): Promise<void> {
  const ring = new KeyRing(deps)
  const tickets = new Tickets(deps.clock, ring, playerIdsIn(deps.db))
  const parts: CloudAuthParts = {
    deps,
    list,
    ring,
    tickets,
    providerFor: (request) => playerIdentityProvider(deps, request, panelAddress()),
  }
  await masterlist.register((scope, _options, done) => {
    acceptJson(scope, { bodyLimit: MAX_BYTES })
    scope.setErrorHandler(sendRejection)
    serveConfiguration(scope, parts)
    serveTickets(scope, parts)
    serveVerify(scope, parts)
    done()
  })
}

function serveConfiguration(scope: FastifyInstance, { deps, ring, providerFor }: CloudAuthParts): void {
  scope.get(pathOf(contract.configuration), (request, reply) => {
    const provider = providerFor(request)
    if (provider === undefined) return sendReply(reply, rejectionReply('SIGN_IN_NOT_SET_UP', NOT_SET_UP_SECONDS))
    const { authorizeUrl, clientId, redirectUri } = provider
    const issuer = listUrl(deps, request)
    const jwksUri = `${issuer}${pathOf(contract.keys)}`
    const configuration = { issuer, authorizeUrl, clientId, redirectUri, scope: 'identify', jwksUri }
    return send(reply.header('cache-control', 'no-cache'), contract.configuration, configuration)
  })

  scope.get(CALLBACK, (request, reply) => sendCallback(deps.env.BRAND_NAME, request, reply))

  scope.get(pathOf(contract.keys), async (request, reply) => {
    const keys = await ring.published()
    const etag = `"${hash('sha256', JSON.stringify(keys), 'base64url').slice(0, 22)}"`
    reply.header('cache-control', `public, max-age=${JWKS_SECONDS}`).header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).header('access-control-allow-origin', '*').send()
    return send(reply, contract.keys, { keys: keys as { kid: string; kty: string }[] })
  })
}

const NO_TICKET = { ticket: '', expiresAt: '', playerToken: '' }

function serveTickets(scope: FastifyInstance, { deps, list, tickets, providerFor }: CloudAuthParts): void {
  const limit = deps.env.RATE_LIMITS ? new TokenBuckets(deps, 'cloud-auth-tickets') : undefined
  const signIn = createSignIn(deps)

  /** The player's Discord id and player token, or the reply to send instead. */
  const playerOf = async (proof: Proof, request: FastifyRequest): Promise<[discordId: string, token: string] | 'VERIFY_FAILED' | Reply> => {
    if ('playerToken' in proof) {
      const discordId = await tickets.playerOf(proof.playerToken)
      return discordId === undefined ? 'VERIFY_FAILED' : [discordId, proof.playerToken]
    }
    const provider = providerFor(request)
    if (provider === undefined) return rejectionReply('SIGN_IN_NOT_SET_UP', NOT_SET_UP_SECONDS)
    const signedIn = await signIn(provider, proof.code, proof.codeVerifier)
    if (signedIn === 'rejected') return 'VERIFY_FAILED'
    if ('discordId' in signedIn) return [signedIn.discordId, await tickets.playerToken(signedIn.discordId)]
    return rejectionReply('SIGN_IN_UNAVAILABLE', signedIn.waitSeconds)
  }

  scope.post(pathOf(contract.ticket), async (request, reply) => {
    const body = parse(contract.TicketBody, request.body)
    const proof = proofOf(body)
    const wait = limit?.take(limitKey(clientAddress(request))) ?? 0
    if (wait > 0) return sendReply(reply, rejectionReply('TOO_MANY_REQUESTS', wait))
    const server = list.registry.find(body.server)
    if (server === undefined || server.isBanned) return sendReply(reply, rejectionReply('NO_SUCH_SERVER'))
    reply.header('cache-control', 'no-store')
    if (!server.fields.cloudAuth) return send(reply, contract.ticket, { result: 'NO_BENEFIT', ...NO_TICKET })
    const player = await playerOf(proof, request)
    if (player === 'VERIFY_FAILED') return send(reply, contract.ticket, { result: player, ...NO_TICKET })
    if (!Array.isArray(player)) return sendReply(reply, player)
    const [discordId, playerToken] = player
    const issued = await tickets.issue(listUrl(deps, request), server.fields, discordId)
    return send(reply, contract.ticket, { result: 'OK', ...issued, playerToken })
  })
}

function serveVerify(scope: FastifyInstance, { list, tickets }: CloudAuthParts): void {
  const callers = new WeakMap<FastifyRequest, ServerRecord>()

  scope.route({
    method: 'POST',
    url: pathOf(contract.verify),
    onRequest: async (request, reply) => {
      const found = await list.pipeline.identify(request.headers.authorization, clientAddress(request))
      if ('rejection' in found) return sendReply(reply, found.rejection)
      callers.set(request, found.server)
      return undefined
    },
    handler: async (request, reply) => {
      const { fields } = callers.get(request) ?? {}
      if (fields === undefined) return sendReply(reply, rejectionReply('UNAVAILABLE', 1))
      const { ticket } = parse(contract.verify.body, request.body)
      reply.header('cache-control', 'no-store')
      if (!fields.cloudAuth) return send(reply, contract.verify, { result: 'NO_BENEFIT', id: '' })
      const id = await tickets.check(ticket, fields)
      return send(reply, contract.verify, id === undefined ? { result: 'VERIFY_FAILED', id: '' } : { result: 'OK', id })
    },
  })
}

type Proof = { readonly code: string; readonly codeVerifier: string } | { readonly playerToken: string }

/** Requires exactly one complete proof of identity. */
function proofOf({ code, codeVerifier, playerToken }: contract.TicketBody): Proof {
  if (playerToken !== undefined && code === undefined && codeVerifier === undefined) return { playerToken }
  if (playerToken === undefined && code !== undefined && codeVerifier !== undefined) return { code, codeVerifier }
  throw invalid('TICKET_PROOF_UNCLEAR')
}

/** Sends expected errors in the list's format; other errors reach the listener's handler. */
function sendRejection(error: FastifyError | AppError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sendInvalid = (errors: () => readonly string[]) => sendReply(reply, rejectionReply('CALL_INVALID', 0, errors))
  if (error instanceof AppError && error.kind === 'invalid') return sendInvalid(() => error.errors)
  const code = 'code' in error ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendReply(reply, rejectionReply('BODY_TOO_LARGE'))
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return sendReply(reply, rejectionReply('BODY_WRONG_TYPE'))
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY') return sendInvalid(() => [sentence('BODY_NOT_JSON')])
  throw error
}

function send<E extends Endpoint>(reply: FastifyReply, endpoint: E, value: ReplyIn<E>): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .type('application/json')
    .send(JSON.stringify(endpoint.reply?.parse(value)))
}

const pathOf = (endpoint: Endpoint) => parseRoute(endpoint.route).path
