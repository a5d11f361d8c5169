import { urlOfHost } from '#contract/servers/host-fields.ts'

const ALL_ADDRESSES = ['::', '0.0.0.0']

/** The URL of a listener of this installation, from the same machine. */
export function localUrl(host: string, port: number): string {
  return `${urlOfHost(ALL_ADDRESSES.includes(host) ? '127.0.0.1' : host)}:${port}`
}
