/** What a session remembers of the browser and the address that use it. */
import type { FastifyRequest } from 'fastify'
import Bowser from 'bowser'
import { clientAddress } from '#backend/platform/http/client-address.ts'
import { maskAddress } from '#backend/platform/http/mask-address.ts'

export interface ClientDetails {
  /** Null if the User-Agent header does not say. */
  readonly browser: string | null
  readonly os: string | null
  readonly masked_address: string
}

/** Longer headers are no browser's. Also limits the work of the regular expressions. */
const MAX_USER_AGENT_LENGTH = 512
/** Names come from the header if no rule knows the browser. */
const MAX_NAME_LENGTH = 40

export function clientDetailsOf(request: FastifyRequest): ClientDetails {
  return { ...readUserAgent(request.headers['user-agent'] ?? ''), masked_address: maskAddress(clientAddress(request)) }
}

/** The names of browser and system, without versions. */
export function readUserAgent(userAgent: string): Pick<ClientDetails, 'browser' | 'os'> {
  if (userAgent === '' || userAgent.length > MAX_USER_AGENT_LENGTH) return { browser: null, os: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: nameOf(browser.name), os: nameOf(os.name) }
}

const nameOf = (name: string | undefined) => (name === undefined || name === '' || name.length > MAX_NAME_LENGTH ? null : name)
