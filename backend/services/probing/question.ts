/** What all questions to game servers share: whom they ask, and what came of it. */
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { m } from '#api-messages'
import type { ProofFailure } from '#contract/servers/probes.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'

/** From the question to the last byte of the answer. */
export const TIMEOUT_MS = 3000
const ANY_PORT = 9

export interface Target {
  readonly publicId: string
  /** An IP address: a name must never reach a resolver here. */
  readonly address: string
  readonly port: number
  /** `host:port` as players know it. Part of what is signed, so that an answer for one endpoint is useless for another. */
  readonly endpoint: string
  /** SHA-256 of the credential that announced: the list stores it, and the game server can compute it. */
  readonly key: Buffer
}

/** What a server may answer for that names no host: it may not know its own address. */
export const endpointTexts = ({ endpoint, port }: Target) => [endpoint, `:${port}`]

/** `inconclusive`: this machine could not ask, or was stopped. `hasNoRoute`: it can't, such as over IPv6. `observed`: a stored text. */
export type Outcome =
  | { readonly result: 'answered' }
  | { readonly result: 'inconclusive'; readonly hasNoRoute?: boolean }
  | { readonly result: 'failed'; readonly failure: ProofFailure; readonly observed: string }

export const failed = (failure: ProofFailure, observed: string): Outcome => ({ result: 'failed', failure, observed })

export const hasNoRoute = (outcome: Outcome): boolean => outcome.result === 'inconclusive' && outcome.hasNoRoute === true

/** Errors that only this machine causes. */
const LOCAL_ERRORS = new Set(['ABORT_ERR', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT'])
/** Errors that this machine or a firewall in front of the game server can cause. */
const AMBIGUOUS_ERRORS = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EACCES', 'EPERM', 'EINVAL'])

/** The outcome of a network error; undefined for other errors. @param timeoutText what was observed if nothing answered. */
export function networkFailureOf(code: string, address: string, timeoutText: () => string): Outcome | Promise<Outcome> | undefined {
  if (LOCAL_ERRORS.has(code)) return { result: 'inconclusive' }
  if (AMBIGUOUS_ERRORS.has(code))
    return hasRouteTo(address).then((hasRoute) =>
      hasRoute ? failed('UNREACHABLE', m.probe_no_route({}, STORED)) : { result: 'inconclusive', hasNoRoute: true },
    )
  if (code === 'ECONNREFUSED') return failed('REFUSED', m.probe_rejected({}, STORED))
  return code === 'ETIMEDOUT' ? failed('TIMEOUT', timeoutText()) : undefined
}

/** Whether this machine has a route to the address: connecting a datagram socket looks one up and sends nothing. */
function hasRouteTo(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const settle = (hasRoute: boolean) => {
    resolve(hasRoute)
    socket.close()
  }
  socket.once('error', () => settle(false))
  socket.once('connect', () => settle(true))
  socket.connect(ANY_PORT, address)
  return promise
}
