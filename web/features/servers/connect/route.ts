/** How players reach a server that is not connected yet, as its owner says, for the snippets. */
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { ServerEndpoint } from '#contract/servers/endpoint.ts'
import { hostField } from '#contract/servers/host-fields.ts'
import type { Server } from '#contract/servers/servers.ts'
import { endpointOptions } from '#web/features/servers/servers.api.ts'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { readDraft, writeDraft } from '#web/lib/drafts.ts'
import { createStore } from '#web/lib/store.ts'

const Route = z.object({
  kind: z.enum(['direct', 'tunnel', 'unknown']),
  /** The public host as typed, with a port if it has another than the server. */
  host: z.string(),
  /** Empty until it is chosen. */
  probe: z.enum(['', 'tcp', 'udp']),
})
export type Route = z.output<typeof Route>

/** What the snippets name. */
export interface NamedEndpoint {
  readonly host: string
  /** Undefined for the port of the server. */
  readonly port: number | undefined
  readonly probe: 'tcp' | 'udp'
}

/** The choices since the page was loaded, by the key of their draft. */
const choices = createStore<Readonly<Record<string, Route>>>({})

/** The choice survives a reload. Without one, it is what the server announced last. */
export function useRoute({ public_id: id }: Pick<Server, 'public_id'>): [route: Route, choose: (route: Route) => void] {
  const key = useDraftKey(`route.${id}`)
  const { data: endpoint } = useQuery(endpointOptions(id))
  const known = choices.use()[key] ?? Route.safeParse(readDraft(key)).data
  const choose = (route: Route) => {
    writeDraft(key, route)
    choices.set({ ...choices.get(), [key]: route })
  }
  if (known) return [known, choose]
  const named = endpoint ? namedHostOf(endpoint) : ''
  const kind = named === '' ? 'direct' : 'tunnel'
  return [{ kind, host: named, probe: endpoint ? probeOf(endpoint, named) : '' }, choose]
}

/** The list probes a host over TCP if the server does not say how. */
const probeOf = ({ probe }: ServerEndpoint, host: string) => (probe === 'none' ? '' : probe || (host === '' ? '' : 'tcp'))

/** The host that a server names, if it is not an address of its own. */
export const namedHostOf = ({ host, sources }: Pick<ServerEndpoint, 'host' | 'sources'>) => (sources.includes(host) ? '' : host)

/** IPv6 in brackets. */
export const hostAndPort = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** `[IPv6]:port`, bare IPv6, or a name or an IPv4 address with its port. */
const HOST = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<bare>[\da-f]*:[\da-f:.]*:[\da-f:.]*)|(?<name>[\p{L}\p{N}._-]+))(?::(?<port>\d{1,5}))?$/iu

/** The host and the port of a text; undefined unless both are valid. */
export function parseHost(text: string): { host: string; port: number | undefined } | undefined {
  const { v6, bare, name, port: digits } = HOST.exec(text.trim())?.groups ?? {}
  const host = v6 ?? bare ?? name ?? ''
  const port = digits === undefined ? undefined : Number(digits)
  const isPort = port === undefined || (port > 0 && port < 65_536)
  return host !== '' && isPort && hostField('').safeParse(host).success ? { host, port } : undefined
}

/** Undefined unless the server is behind a tunnel or proxy, its host is valid, and the protocol is chosen. */
export function namedEndpoint({ kind, host: text, probe }: Route): NamedEndpoint | undefined {
  const parsed = parseHost(text)
  return kind === 'tunnel' && parsed && probe !== '' ? { ...parsed, probe } : undefined
}
