import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BenefitField } from '#contract/benefits.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { LanguageName } from './language-select.tsx'

export function ReadOnlyListing({ server }: { server: ShownServer }) {
  return (
    <section aria-label="Listing" className="card p-5">
      <ReadOnlyNote>
        You can look at these texts but not change them. That takes “Edit details”, which {ownerOf(server)} can give you.
      </ReadOnlyNote>
      <dl className="mt-3">
        <Row label="Name">{server.name}</Row>
        <Row label="Description">{server.description}</Row>
        <Row label="Language">
          <LanguageName code={server.language} />
        </Row>
        <Row label="Game mode">{server.game_mode}</Row>
        <Row label="Tags">{server.tags.join(', ')}</Row>
        <Row label="Website">{server.website}</Row>
        <Row label="On the public list">{server.visible ? 'Shown' : 'Hidden'}</Row>
      </dl>
    </section>
  )
}

export function ReadOnlyAppearance({ server }: { server: ShownServer }) {
  const { name, icon_url, group, vanity_url, promoted, dormant } = server
  const owner = ownerOf(server)
  const shown = (field: BenefitField, what: ReactNode) => (
    <>
      {what}
      {dormant.includes(field) && <span className="block text-13 text-ink-3">Players don’t see it now: {owner} lacks the benefit.</span>}
    </>
  )
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="mb-3 font-medium">
        Appearance
      </h2>
      <ReadOnlyNote>
        You can look at the appearance but not change it. That takes “Edit appearance”, which {owner} can give you.
      </ReadOnlyNote>
      <dl className="mt-3">
        <Row label="Icon">{icon_url === null ? '' : shown('icon_image_id', <ServerTile name={name} iconUrl={icon_url} large />)}</Row>
        <Row label="Group">{group === null ? '' : shown('group_id', group.name)}</Row>
        <Row label="Vanity id">{vanity_url === null ? '' : shown('vanity_url', <span className="font-mono">@{vanity_url}</span>)}</Row>
        <Row label="Promotion">{shown('promoted', promoted ? 'Promoted' : 'Not promoted')}</Row>
      </dl>
    </section>
  )
}

function ownerOf({ owner }: ShownServer): string {
  return owner?.discord.username ?? 'the owner'
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
        {children === '' ? <span className="text-ink-3">none</span> : children}
      </dd>
    </div>
  )
}
