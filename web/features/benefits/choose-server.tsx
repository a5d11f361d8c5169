import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

/** Above this many the list of servers is the better place to choose. */
const IN_A_MENU = 12

interface ChooseServerProps {
  label: string
  /** Where it is used already: beside the names of those servers there is little room. */
  brief: boolean
  servers: readonly { public_id: string; name: string }[]
}

/** Leads to the Listing tab of one's only server, or asks of which. */
export function ChooseServer({ label, brief, servers }: ChooseServerProps) {
  const [only, ...others] = servers
  if (only === undefined) {
    return (
      <Link to="/servers/new" className={buttonClass('secondary')}>
        Register a server first
      </Link>
    )
  }
  const words = brief ? <Brief label={label} /> : label
  if (others.length === 0) {
    return (
      <Link
        to="/servers/$server_id"
        params={{ server_id: only.public_id }}
        search={{ tab: 'listing' }}
        className={buttonClass('secondary')}
      >
        {words}
        <ArrowRight size={15} aria-hidden="true" />
      </Link>
    )
  }
  if (servers.length <= IN_A_MENU) return <ServerMenu label={label} words={words} servers={servers} />
  return (
    <Link to="/servers" className={buttonClass('secondary')}>
      {words}
      <ArrowRight size={15} aria-hidden="true" />
    </Link>
  )
}

function Brief({ label }: { label: string }) {
  return (
    <span>
      Change<span className="sr-only">: {label.charAt(0).toLowerCase() + label.slice(1)}</span>
    </span>
  )
}

function ServerMenu({ label, words, servers }: { label: string; words: ReactNode; servers: ChooseServerProps['servers'] }) {
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/servers/$server_id', params: { server_id: id }, search: { tab: 'listing' } })
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('secondary')}>
          {words}
          <ChevronDown size={15} aria-hidden="true" />
        </button>
      )}
    >
      {servers.map(({ public_id, name }) => (
        <MenuItem key={public_id} onSelect={() => open(public_id)}>
          <span className="max-w-64 truncate">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
