/** Where a benefit is used, and how to use it. */
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown, Settings2 } from 'lucide-react'
import { Fragment } from 'react'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { listFormat } from '#web/lib/lists.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { RichText } from '#web/ui/rich-text.tsx'

/** These say what to do, so they need no hint. */
const SERVER_ACTIONS: Readonly<Partial<Record<BenefitKey, string>>> = {
  PROMOTED: m.benefits_choose_promoted(),
  CUSTOM_VANITY_URL: m.benefits_choose_vanity(),
  MASTERLIST_TOKEN_CARD_ICONS: m.benefits_choose_icon(),
}

/** Hints for benefits that nothing uses yet. */
const UNUSED: Readonly<Partial<Record<BenefitKey, string>>> = {
  CLIENT_CLOUD_AUTH: m.benefits_no_setup(),
  MASTERLIST_GROUPS: m.benefits_unused_groups(),
}

const BUTTON = buttonClass('secondary')
const settingsPath = (key: BenefitKey) => `/benefits/${key.toLowerCase()}`

export type Servers = readonly { public_id: string; name: string }[]

export interface UsageProps {
  benefit: BenefitOverview
  /** The UI address is part of the launcher's settings. */
  hasLauncher: boolean
}

export function Usage({ benefit: { key, used_by: usedBy }, hasLauncher }: UsageProps) {
  if (usedBy.length > 0) return <UsedBy servers={usedBy} message={m.benefits_used_by} />
  if (key in SERVER_ACTIONS) return null
  const needsLauncher = key === 'CUSTOM_UI_URL' && !hasLauncher
  return (
    <p className="min-w-0 flex-1 basis-36 text-13 text-pretty text-ink-3">
      {needsLauncher ? m.benefits_ui_needs_launcher() : (UNUSED[key] ?? m.benefits_unused())}
    </p>
  )
}

/** Beyond this, a count replaces the names. */
const MAX_NAMED = 2

interface UsedByProps {
  servers: Servers
  message: typeof m.benefits_used_by | typeof m.benefits_locked_settings
}

export function UsedBy({ servers, message }: UsedByProps) {
  const rest = servers.length - MAX_NAMED
  const links = servers.slice(0, MAX_NAMED).map(({ public_id, name }) => (
    <Link key={public_id} to="/servers/$server_id" params={{ server_id: public_id }} className="inline-link font-medium text-ink-1">
      {name}
    </Link>
  ))
  if (rest > 0) {
    links.push(
      <Link key="rest" to="/servers" className="inline-link font-medium text-ink-1">
        {m.benefits_used_by_more({ count: rest })}
      </Link>,
    )
  }
  const parts = listFormat().formatToParts(links.map((_, index) => String(index)))
  const content = parts.map(({ type, value }, index) => (
    <Fragment key={index}>{type === 'element' ? links[Number(value)] : value}</Fragment>
  ))
  return (
    <p className="min-w-0 flex-1 basis-44 text-13 text-pretty text-ink-2">
      <RichText message={message} tags={{ servers: () => content }} />
    </p>
  )
}

/** Links to where the benefit is used: its settings, a server's Listing tab, or the groups below. */
export function BenefitAction({ benefit, servers, hasLauncher }: UsageProps & { servers: Servers }) {
  const { key, name, has_settings: hasSettings, used_by: usedBy } = benefit
  const serverAction = SERVER_ACTIONS[key]
  if (hasSettings) {
    return (
      <Link to={settingsPath(key)} aria-label={m.benefits_settings_of({ benefit: name })} className={BUTTON}>
        <Settings2 size={15} aria-hidden="true" />
        {m.benefits_settings()}
      </Link>
    )
  }
  if (serverAction !== undefined) {
    const isUsed = usedBy.length > 0
    return (
      <ChooseServer
        label={isUsed ? m.benefits_change_what({ benefit: name }) : serverAction}
        text={isUsed ? m.benefits_change() : serverAction}
        servers={servers}
      />
    )
  }
  if (key === 'MASTERLIST_GROUPS') {
    return (
      <Link to="." hash="groups" resetScroll={false} className={BUTTON}>
        {m.groups_title()}
      </Link>
    )
  }
  if (key === 'CUSTOM_UI_URL' && hasLauncher) {
    return (
      <Link to={settingsPath('CUSTOM_LAUNCHER')} className={BUTTON}>
        {m.benefits_ui_set_address()}
      </Link>
    )
  }
  return null
}

/** Links to the Listing tab of the only server, or shows a menu of servers. */
function ChooseServer({ label, text, servers }: { label: string; text: string; servers: Servers }) {
  const navigate = useNavigate()
  const linkOf = (id: string) => ({ to: '/servers/$server_id', params: { server_id: id }, search: { tab: 'listing' } }) as const
  const [first] = servers
  if (first === undefined) {
    return (
      <Link to="/servers/new" className={BUTTON}>
        {m.benefits_register_first()}
      </Link>
    )
  }
  if (servers.length === 1) {
    return (
      <Link {...linkOf(first.public_id)} aria-label={label} className={BUTTON}>
        {text}
        <ArrowRight size={15} aria-hidden="true" />
      </Link>
    )
  }
  return (
    <Menu
      label={label}
      trigger={
        <Button aria-label={label}>
          {text}
          <ChevronDown size={15} aria-hidden="true" />
        </Button>
      }
    >
      {servers.map(({ public_id, name }) => (
        <MenuItem key={public_id} onSelect={() => void navigate(linkOf(public_id))}>
          <span className="max-w-64 truncate">{name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
