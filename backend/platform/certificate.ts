/** The certificate of an https address, as visitors receive it. */
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'

export interface Certificate {
  /** Organization and name of who issued it. */
  readonly issuer: string
  /** Milliseconds since 1970. */
  readonly endsAt: number
  /** Whether this machine trusts it for this address. An expired one counts as trusted. */
  readonly isTrusted: boolean
}

/** Rejects if the address does not answer with a certificate in time. */
export async function readCertificate(url: string, timeoutMs: number): Promise<Certificate> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // An invalid certificate is what this is about.
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    const { issuer, valid_to: end } = socket.getPeerCertificate()
    const names = [issuer?.O, issuer?.CN].flat().filter((name) => name !== undefined)
    const problem = socket.authorizationError as string | Error | null
    const code = problem instanceof Error ? (problem as NodeJS.ErrnoException).code : problem
    return { issuer: names.join(', '), endsAt: Date.parse(end), isTrusted: socket.authorized || code === 'CERT_HAS_EXPIRED' }
  } finally {
    socket.destroy()
  }
}
