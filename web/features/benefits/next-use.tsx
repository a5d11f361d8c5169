import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown } from 'lucide-react'
import type { BenefitKey } from '#contract/benefits.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

/** Where a benefit's settings are. */
export function settingsPath(key: BenefitKey): string {
  return `/benefits/${key.toLowerCase()}`
}

/** What is done with a benefit on a server's Listing tab. */
const ON_A_SERVER: Readonly<Partial<Record<BenefitKey, { first: string; again: string }>>> = {
  PROMOTED: { first: 'Choose a server to promote', again: 'Promote another server' },
  CUSTOM_VANITY_URL: { first: 'Choose a server for a vanity id', again: 'Vanity id of a server' },
  MASTERLIST_TOKEN_CARD_ICONS: { first: 'Choose a server for an icon', again: 'Icon of a server' },
}

interface NextUseProps {
  benefit: BenefitKey
  used: boolean
  servers: readonly { public_id: string; name: string }[]
  /** Whether the launcher's settings, where the page of its own is named, can be opened. */
  hasLauncher: boolean
}

/** Where a held benefit is put to use: its settings, a server's Listing tab, or the groups below. */
export function NextUse({ benefit, used, servers, hasLauncher }: NextUseProps) {
  const onServer = ON_A_SERVER[benefit]
  if (onServer) return <ChooseServer label={used ? onServer.again : onServer.first} servers={servers} />
  if (benefit === 'MASTERLIST_GROUPS') {
    return (
      <Link to="." hash="groups" resetScroll={false} className={buttonClass('secondary')}>
        {used ? 'Your groups' : 'Make a group'}
      </Link>
    )
  }
  if (benefit === 'CUSTOM_UI_URL') {
    return hasLauncher ? (
      <Link to={settingsPath('CUSTOM_LAUNCHER')} className={buttonClass('secondary')}>
        Set its address
      </Link>
    ) : null
  }
  return null
}

/** Above this many the list of servers is the better place to choose. */
const IN_A_MENU = 12

function ChooseServer({ label, servers }: { label: string; servers: NextUseProps['servers'] }) {
  const navigate = useNavigate()
  const [only, ...others] = servers
  if (only === undefined) {
    return (
      <Link to="/servers/new" className={buttonClass('secondary')}>
        Register a server first
      </Link>
    )
  }
  if (others.length === 0 || servers.length > IN_A_MENU) {
    const text = (
      <>
        {label}
        <ArrowRight size={15} aria-hidden="true" />
      </>
    )
    if (others.length > 0) {
      return (
        <Link to="/servers" className={buttonClass('secondary')}>
          {text}
        </Link>
      )
    }
    return (
      <Link
        to="/servers/$server_id"
        params={{ server_id: only.public_id }}
        search={{ tab: 'listing' }}
        className={buttonClass('secondary')}
      >
        {text}
      </Link>
    )
  }
  return (
    <Menu
      label={label}
      trigger={(props) => (
        <button type="button" {...props} className={buttonClass('secondary')}>
          {label}
          <ChevronDown size={15} aria-hidden="true" />
        </button>
      )}
    >
      {servers.map(({ public_id, name }) => (
        <MenuItem
          key={public_id}
          onSelect={() => void navigate({ to: '/servers/$server_id', params: { server_id: public_id }, search: { tab: 'listing' } })}
        >
          <span className="max-w-64 truncate">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
