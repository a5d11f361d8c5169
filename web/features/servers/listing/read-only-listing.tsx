import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BenefitField } from '#contract/benefits.ts'
import { PERMISSIONS } from '#contract/permissions.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { languageName } from '#web/lib/language-name.ts'
import { regionName } from '#web/lib/region-name.ts'

export function ReadOnlyListing({ server }: { server: ShownServer }) {
  return (
    <section aria-label={m.servers_tab_listing()} className="card p-5">
      <ReadOnlyNote>{m.servers_listing_read_only({ owner: ownerName(server), permission: PERMISSIONS.EDIT_DETAILS.name() })}</ReadOnlyNote>
      <dl className="mt-3">
        <Row label={m.servers_listing_name()}>{server.name}</Row>
        <Row label={m.servers_listing_description()}>{server.description}</Row>
        <Row label={m.servers_listing_language()}>{languageName(server.language)}</Row>
        <Row label={m.servers_listing_region()}>{regionName(server.region)}</Row>
        <Row label={m.servers_listing_game_mode()}>{server.game_mode}</Row>
        <Row label={m.servers_listing_tags()}>{server.tags.join(', ')}</Row>
        <Row label={m.servers_listing_website()}>{server.website}</Row>
        <Row label={m.servers_listing_visible()}>{server.visible ? m.servers_listing_visible_on() : m.servers_listing_visible_off()}</Row>
      </dl>
    </section>
  )
}

export function ReadOnlyAppearance({ server }: { server: ShownServer }) {
  const { name, icon_url, group, vanity_url, promoted, dormant } = server
  const owner = ownerName(server)
  const withDormantNote = (field: BenefitField, value: ReactNode) => (
    <>
      {value}
      {dormant.includes(field) && <span className="block text-13 text-ink-3">{m.servers_listing_dormant_owner({ owner })}</span>}
    </>
  )
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="mb-3 font-medium">
        {m.servers_listing_appearance()}
      </h2>
      <ReadOnlyNote>{m.servers_listing_read_only_appearance({ owner, permission: PERMISSIONS.EDIT_APPEARANCE.name() })}</ReadOnlyNote>
      <dl className="mt-3">
        <Row label={m.servers_listing_icon()}>
          {icon_url === null ? '' : withDormantNote('icon_image_id', <ServerTile name={name} iconUrl={icon_url} large />)}
        </Row>
        <Row label={m.servers_listing_group()}>{group === null ? '' : withDormantNote('group_id', group.name)}</Row>
        <Row label={m.servers_listing_vanity()}>
          {vanity_url === null ? '' : withDormantNote('vanity_url', <span className="font-mono">@{vanity_url}</span>)}
        </Row>
        <Row label={m.servers_listing_promotion()}>
          {withDormantNote('promoted', promoted ? m.servers_flag_promoted() : m.servers_listing_not_promoted())}
        </Row>
      </dl>
    </section>
  )
}

function ownerName({ owner }: ShownServer): string {
  return owner?.discord.username ?? m.servers_listing_the_owner()
}

function ReadOnlyNote({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-2.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
      <Lock size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-t border-line py-2.5 first:border-t-0 sm:grid-cols-[140px_minmax(0,1fr)]">
      <dt className="text-13 text-ink-3">{label}</dt>
      <dd className="[overflow-wrap:anywhere] whitespace-pre-line">
        {children === '' ? <span className="text-ink-3">{m.common_none()}</span> : children}
      </dd>
    </div>
  )
}
