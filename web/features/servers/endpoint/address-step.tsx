import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AddressNoticeCode } from '#contract/masterlist/list-codes.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { isAdminServer, type ShownServer } from '#web/features/servers/access.ts'
import { useRoute } from '#web/features/servers/connect/route.ts'
import { endpointOptions, serverListOptions } from '#web/features/servers/servers.api.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { startEndpointTest } from './endpoint-test.ts'

type Reason = Server['listing']['reasons'][number]

interface StepProps {
  server: ShownServer
  reason: Reason
  onSelect: (tab: 'connect') => void
}

const STEPS = {
  ENDPOINT_UNPROVEN: TestStep,
  DUPLICATE_ADDRESS: DuplicateStep,
  PRIVATE_ADDRESS: TunnelStep,
  TWO_PROCESSES: SecondServerStep,
} as const satisfies Record<AddressNoticeCode, (props: StepProps) => ReactNode>

export const isAddressCode = (code: string): code is AddressNoticeCode => Object.hasOwn(STEPS, code)

/** What to do about a reason that concerns the address of a server. Administrators can only read it. */
export function AddressStep({ reason, ...props }: StepProps) {
  if (!isAddressCode(reason.code) || isAdminServer(props.server)) return null
  const Step = STEPS[reason.code]
  return <Step reason={reason} {...props} />
}

/** The card shows the steps of the test. */
function TestStep({ server }: StepProps) {
  const { data: endpoint } = useQuery(endpointOptions(server.public_id))
  if (endpoint?.probe === 'none') return null
  const test = () => {
    document.getElementById('reach')?.focus()
    void startEndpointTest(server.public_id)
  }
  return (
    <Button variant="primary" onClick={test}>
      {m.servers_test_start()}
    </Button>
  )
}

/** The sentence names the other server only if it has the same owner. */
function DuplicateStep({ server, reason, onSelect }: StepProps) {
  const { data: list } = useQuery(serverListOptions)
  const others = list?.owned.filter(({ public_id, name }) => public_id !== server.public_id && reason.message.includes(name)) ?? []
  // One name can contain another.
  const other = others.toSorted((a, b) => b.name.length - a.name.length)[0]
  if (other === undefined) return <Button onClick={() => onSelect('connect')}>{m.servers_why_port()}</Button>
  return (
    <Link to="/servers/$server_id" params={{ server_id: other.public_id }} className={buttonClass('primary')}>
      {m.servers_why_open({ server: other.name })}
    </Link>
  )
}

function TunnelStep({ server, onSelect }: StepProps) {
  const [route, setRoute] = useRoute(server)
  const open = () => {
    setRoute({ ...route, kind: 'tunnel' })
    onSelect('connect')
  }
  return (
    <Button variant="primary" onClick={open}>
      {m.servers_why_tunnel()}
    </Button>
  )
}

function SecondServerStep({ server: { owner }, onSelect }: StepProps) {
  // A manager can't create a server for the owner.
  if (owner) return <Button onClick={() => onSelect('connect')}>{m.servers_why_port()}</Button>
  return (
    <Link to="/servers/new" className={buttonClass('primary')}>
      {m.servers_why_second()}
    </Link>
  )
}
