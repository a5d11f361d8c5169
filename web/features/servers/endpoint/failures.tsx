/** Why the list could not prove an endpoint, and what its owner can do. */
import { Link } from '@tanstack/react-router'
import type { ServerEndpoint } from '#contract/servers/endpoint.ts'
import type { ProofFailure } from '#contract/servers/probes.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { useRoute } from '#web/features/servers/connect/route.ts'
import { RichText } from '#web/ui/rich-text.tsx'

const FAILURES: Readonly<Record<ProofFailure, () => string>> = {
  UNRESOLVED: m.servers_reach_unresolved,
  PRIVATE: m.servers_reach_private,
  REFUSED: m.servers_reach_refused,
  TIMEOUT: m.servers_reach_timeout,
  WRONG_ANSWER: m.servers_reach_wrong_answer,
  UNREACHABLE: m.servers_reach_unreachable,
}

/** Of a server's own address, not of a host that it names. */
const DIRECT: Readonly<Partial<typeof FAILURES>> = {
  REFUSED: m.servers_reach_direct_closed,
  TIMEOUT: m.servers_reach_direct_closed,
  UNREACHABLE: m.servers_reach_direct_closed,
}

/** @param host what the server names; empty for its own address */
export function failureText(failure: ProofFailure, host: string): string {
  return ((host === '' ? DIRECT[failure] : undefined) ?? FAILURES[failure])()
}

interface FailureNoteProps {
  server: Pick<Server, 'public_id'>
  failure: ProofFailure
  /** What the server names; empty for its own address. */
  host: string
  probe: ServerEndpoint['probe']
}

/** What else the cause can be: the way to the server, or how it was probed. */
export function FailureNote({ server, failure, host, probe }: FailureNoteProps) {
  const [route, setRoute] = useRoute(server)
  const connectLink = (text: string, onClick?: () => void) => (
    <Link
      to="."
      search={(previous: object) => ({ ...previous, tab: 'connect' as const })}
      onClick={onClick}
      className="text-accent underline underline-offset-2"
    >
      {text}
    </Link>
  )
  if (host === '') {
    const tunnel = (text: string) => connectLink(text, () => setRoute({ ...route, kind: 'tunnel' }))
    return (
      <>
        {DIRECT[failure] && <RichText message={m.servers_reach_direct_nat} tags={{ tunnel }} />} {m.servers_reach_test_direct()}
      </>
    )
  }
  if (failure !== 'REFUSED' && failure !== 'TIMEOUT') return null
  return probe === 'udp' ? (
    <RichText message={m.servers_reach_probed_udp} tags={{ connect: (text) => connectLink(text) }} />
  ) : (
    m.servers_reach_probed_tcp()
  )
}
