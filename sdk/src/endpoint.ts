/** Where players connect to, as text. */

/** A host as in a URL: IPv6 in brackets. */
const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Whether a text is a name or an IP address, without brackets and port. */
export const isHost = (host: string): boolean => /^[^/?#@[\]\s]+$/.test(host) && URL.canParse(`http://${inUrl(host)}`)

/** `host:port` as the answer to a UDP probe signs it: a name in lower case and ASCII without a trailing dot, IPv6 in its shortest form, or no host. */
export function endpointOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host === '' ? '' : new URL(`http://${inUrl(host)}`).hostname.replace(/\.+$/, '')}:${port}`
}
