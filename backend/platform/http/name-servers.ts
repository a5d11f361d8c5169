/** Asks the name servers for a host's addresses, and nobody else. */
import { Resolver } from 'node:dns/promises'

/** All addresses of a host, IPv4 and IPv6; empty where there is none. The signal ends the question. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

const EACH_TRY_MS = 2000
const TRIES = 2

/**
 * The machine's own hosts file and search domains say nothing about the internet, and a slow name server holds up no thread that others
 * need. IPv4 comes first: every machine has it. @param servers as `address:port`; left out, those of the machine.
 */
export function resolveBy(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: EACH_TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    signal.addEventListener('abort', () => resolver.cancel(), { once: true })
    const none = () => []
    const [ipv4, ipv6] = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])
    return [...ipv4, ...ipv6]
  }
}
