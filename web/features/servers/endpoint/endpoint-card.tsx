import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { type ComponentProps, useEffect } from 'react'
import { m } from '#messages'
import { hasPermission, isAdminServer, type ShownServer } from '#web/features/servers/access.ts'
import { hostAndPort, namedHostOf } from '#web/features/servers/connect/route.ts'
import { Fact, InfoCard, OwnerOnlyNote } from '#web/features/servers/info-card.tsx'
import { endpointOptions } from '#web/features/servers/servers.api.ts'
import { Button, CopyButton } from '#web/ui/button.tsx'
import { QueryPending, Skeleton } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { AddressPolicyChoice } from './address-policy.tsx'
import { EndpointPicture } from './endpoint-picture.tsx'
import { EndpointTestLog } from './endpoint-test-log.tsx'
import { isDone, resultsOf, startEndpointTest, useEndpointTest, useIsLost } from './endpoint-test.ts'
import { BoundText, familyName } from './family.tsx'
import { FailureNote, failureText } from './failures.tsx'
import { type State, StateLine } from './state-line.tsx'

interface EndpointCardProps {
  server: ShownServer
  onReset: () => void
}

/** How players reach a server, and what its credential is bound to. Administrators see only what the list shows. */
export function EndpointCard({ server, onReset }: EndpointCardProps) {
  return (
    <InfoCard
      id="reach"
      icon={Waypoints}
      title={m.servers_reach_title()}
      action={!isAdminServer(server) && server.live && <TestButton server={server} />}
    >
      {isAdminServer(server) ? <AdminEndpoint server={server} /> : <Endpoint server={server} />}
      <Binding server={server} onReset={onReset} />
    </InfoCard>
  )
}

function TestButton({ server: { public_id: id } }: { server: ShownServer }) {
  const test = useEndpointTest(id)
  const isLost = useIsLost(test)
  const { data: endpoint } = useQuery(endpointOptions(id))
  // The list can't probe such a host. It probes a source address in any case.
  if (endpoint?.probe === 'none' && endpoint.host !== '') return null
  const isRunning = test !== undefined && test.problem === undefined && !isDone(test) && !isLost
  return (
    <Button busy={isRunning} onClick={() => void startEndpointTest(id)}>
      {test === undefined || isRunning ? m.servers_test_start() : m.servers_test_again()}
    </Button>
  )
}

function Endpoint({ server }: { server: ShownServer }) {
  const query = useQuery(endpointOptions(server.public_id))
  const test = useEndpointTest(server.public_id)
  const client = useQueryClient()
  const isTested = test !== undefined && isDone(test)
  useEffect(() => {
    if (isTested) void client.invalidateQueries({ queryKey: endpointOptions(server.public_id).queryKey })
  }, [isTested, client, server.public_id])
  if (query.data === undefined) {
    return (
      <QueryPending query={query} className="mt-4">
        <Skeleton className="mt-4 h-54" />
      </QueryPending>
    )
  }
  if (query.data === null) return <p className="mt-2 text-13 text-pretty text-ink-2">{m.servers_reach_empty()}</p>
  const host = namedHostOf(query.data)
  const results = isTested ? resultsOf(test) : undefined
  const isAnswering = results?.isAnswering === true && results.failure === undefined
  // Nothing stores the test of a server's own address.
  const failure = results?.isAnswering ? '' : (results?.failure ?? query.data.failure)
  const endpoint = host === '' ? { ...query.data, failure } : query.data
  const isPrivate = endpoint.state === 'source' && server.listing.reasons.some(({ code }) => code === 'PRIVATE_ADDRESS')
  const isUnproven = endpoint.state === 'unproven'
  return (
    <>
      <div className="mt-4">
        <EndpointPicture {...{ endpoint, host, isPrivate, isAnswering }} />
      </div>
      <StateLine {...stateOf({ server, endpoint, host, isPrivate, isAnswering, hasTest: test !== undefined })} />
      {test && <EndpointTestLog {...{ server, endpoint, test, host }} />}
      <dl className="mt-3">
        <AddressFact
          label={isUnproven ? m.servers_reach_meanwhile() : m.servers_reach_address()}
          addresses={[endpoint.address]}
          copyLabel={m.servers_overview_address_copy()}
        />
        <AddressFact label={m.servers_reach_also()} addresses={endpoint.addresses.filter((each) => each !== endpoint.address)} />
        {isUnproven && <AddressFact label={m.servers_reach_host()} addresses={[hostAndPort(host, endpoint.port)]} />}
        <AddressFact label={m.servers_reach_sources()} addresses={endpoint.sources} />
      </dl>
    </>
  )
}

interface Facts extends ComponentProps<typeof EndpointPicture> {
  server: ShownServer
  /** Its result says what to do. */
  hasTest: boolean
}

function stateOf({ server, endpoint, host, isPrivate, isAnswering, hasTest }: Facts): State {
  const { probe, state, failure, proven_at: provenAt, failed_at: failedAt } = endpoint
  if (!server.live) return { tone: 'neutral', text: m.servers_reach_offline() }
  if (isPrivate) return { tone: 'danger', text: m.servers_reach_private() }
  if (state === 'proven') {
    if (failure !== '') return { tone: 'warn', text: m.servers_reach_failing(), note: failureText(failure, host) }
    return {
      tone: 'ok',
      text: m.servers_reach_proven({ protocol: (probe || 'tcp').toUpperCase() }),
      note: timeText(m.servers_reach_last, provenAt),
    }
  }
  const failureNote = failure !== '' && !hasTest && <FailureNote {...{ server, failure, host, probe }} />
  if (state === 'source') {
    if (failure !== '' && !hasTest) return { tone: 'warn', text: failureText(failure, host), note: failureNote }
    const tone = isAnswering ? 'ok' : failure === '' ? 'neutral' : 'warn'
    return { tone, text: m.servers_reach_source(), note: !hasTest && m.servers_reach_untested() }
  }
  if (probe === 'none') return { tone: 'warn', text: m.servers_reach_no_probe() }
  if (failure === '') return { tone: 'neutral', text: m.servers_reach_pending() }
  const note = (
    <>
      {failureNote} {timeText(m.servers_reach_first_failure, failedAt)}
    </>
  )
  return { tone: 'danger', text: failureText(failure, host), note }
}

const timeText = (message: typeof m.servers_reach_last, at: string | null) =>
  at !== null && <RichText message={message} tags={{ time: () => <TimeAgo at={at} /> }} />

function AdminEndpoint({ server: { live } }: { server: ShownServer }) {
  if (!live) return null
  return (
    <dl className="mt-3">
      <AddressFact label={m.servers_reach_address()} addresses={[live.address]} copyLabel={m.servers_overview_address_copy()} />
    </dl>
  )
}

interface AddressFactProps {
  label: string
  addresses: readonly string[]
  /** With it, the first one can be copied. */
  copyLabel?: string
}

function AddressFact({ label, addresses, copyLabel }: AddressFactProps) {
  const [first] = addresses
  if (first === undefined) return null
  return (
    <Fact label={label}>
      <span className="flex min-w-0 flex-col font-mono [overflow-wrap:anywhere]">
        {addresses.map((address) => (
          <span key={address}>{address}</span>
        ))}
      </span>
      {copyLabel !== undefined && <CopyButton text={first} label={copyLabel} />}
    </Fact>
  )
}

/** The bound addresses, and what happens to announces from elsewhere. */
function Binding({ server, onReset }: EndpointCardProps) {
  const { bound_addresses: bound } = server
  return (
    <div className="mt-3 border-t border-line pt-4">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 id="address" tabIndex={-1} className="scroll-mt-10 font-medium outline-none">
          {m.servers_address_title()}
        </h3>
        {bound.length > 0 && hasPermission(server, 'RESET_ADDRESS') && <Button onClick={onReset}>{m.servers_address_reset()}</Button>}
      </div>
      {bound.length === 0 ? (
        <p className="mt-1 text-13 text-pretty text-ink-2">{m.servers_address_unbound()}</p>
      ) : (
        <dl className="mt-1">
          {bound.map((each) => (
            <Fact key={each.family} label={familyName(each.address)}>
              <span className="min-w-0">
                <BoundText bound={each} /> · <TimeAgo at={each.bound_at} />
              </span>
              <CopyButton text={each.address} label={m.servers_address_copy()} />
            </Fact>
          ))}
        </dl>
      )}
      <OwnerOnlyNote server={server} permission="RESET_ADDRESS" message={m.servers_only_reset} />
      <AddressPolicyChoice server={server} />
    </div>
  )
}
