/** What a server's owner should know about its address, for the replies to announces and for the panel. */
import { m } from '#api-messages'
import type { AddressNoticeCode } from '#contract/masterlist/list-codes.ts'
import type { AddressProblem } from '#contract/servers/servers-admin.ts'
import type { ProofFailure } from '#contract/servers/probes.ts'
import { currentProofOf, endpointOf } from './endpoint.ts'
import { fullText } from './reasons.ts'
import type { ServerRecord } from './server-record.ts'

export interface AddressNotice {
  readonly code: AddressNoticeCode
  /** In the language of the request. */
  readonly message: () => string
  /** Wall milliseconds. */
  readonly since: number
}

const NONE: readonly AddressNotice[] = []

const FAILURES: Readonly<Record<ProofFailure, () => string>> = {
  UNRESOLVED: m.proof_unresolved,
  PRIVATE: m.proof_private,
  REFUSED: m.proof_refused,
  TIMEOUT: m.proof_timeout,
  WRONG_ANSWER: m.proof_wrong_answer,
  UNREACHABLE: m.proof_unreachable,
}

/** @param otherPort the port of another process with the credential. */
export function addressNoticesOf(server: ServerRecord, otherPort: number | undefined): readonly AddressNotice[] {
  const endpoint = server.online ? endpointOf(server) : undefined
  if (endpoint === undefined) return NONE
  const isFine = !endpoint.isPrivate && !endpoint.isUnproven && server.withheld === '' && otherPort === undefined
  if (isFine) return NONE
  const { endpointSince: since } = server
  const notices: AddressNotice[] = []
  if (server.withheld === 'DUPLICATE_ADDRESS') notices.push({ code: 'DUPLICATE_ADDRESS', message: () => duplicateText(server), since })
  if (endpoint.isPrivate) notices.push({ code: 'PRIVATE_ADDRESS', message: () => fullText('PRIVATE_ADDRESS'), since })
  if (endpoint.isUnproven)
    notices.push({
      code: 'ENDPOINT_UNPROVEN',
      message: () => fullText('ENDPOINT_UNPROVEN', proofText(server)),
      since: currentProofOf(server)?.failedAt ?? since,
    })
  if (otherPort !== undefined) notices.push({ code: 'TWO_PROCESSES', message: () => m.list_two_processes_on({ port: otherPort }), since })
  return notices
}

/** For administrators' filters. */
export function hasAddressProblem(server: ServerRecord, problem: AddressProblem): boolean {
  const endpoint = server.online ? endpointOf(server) : undefined
  if (endpoint === undefined) return false
  if (problem === 'duplicate') return server.withheld === 'DUPLICATE_ADDRESS'
  return problem === 'private' ? endpoint.isPrivate : endpoint.isUnproven
}

/** Names the other server only to its owner. */
function duplicateText({ duplicateOf, fields }: ServerRecord): string {
  if (duplicateOf?.fields.ownerId !== fields.ownerId) return fullText('DUPLICATE_ADDRESS')
  return `${m.list_duplicate_address_of({ server: duplicateOf.fields.name })} ${m.list_duplicate_address_remedy()}`
}

/** What failed. Nothing of an answer is shown but its kind. */
function proofText(server: ServerRecord): string {
  if (server.announced?.probe === 'none') return m.proof_none()
  const failure = currentProofOf(server)?.failure ?? ''
  return failure === '' ? m.proof_pending() : FAILURES[failure]()
}
