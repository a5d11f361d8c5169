/** Why a request got no reply, in words for the operator. */

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the name servers do not answer',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a trusted authority',
  EPROTO: 'it does not speak HTTPS on this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS on this port',
  ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR: 'it has no certificate for this host name',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it has no certificate for this host name',
}

/** A clause that follows "because". @param error what `fetch` threw. */
export function failureOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it does not answer in time'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  const known = typeof code === 'string' ? CAUSES[code] : undefined
  if (known !== undefined) return known
  const message = cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(cause)
  // Those of OpenSSL end with a line break.
  return message.trim()
}
