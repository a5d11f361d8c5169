import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { type BenefitField, type ServerFieldName, fieldsOfPermission, serverField } from '#contract/servers/server-field-shapes.ts'
import { PERMISSIONS } from '#contract/servers/permissions.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { shownValue } from './field-kinds.tsx'

export function ReadOnlyListing({ server }: { server: ShownServer }) {
  return (
    <section aria-label={m.servers_tab_listing()} className="card p-5">
      <ReadOnlyNote>{m.servers_listing_read_only({ owner: ownerName(server), permission: PERMISSIONS.EDIT_DETAILS.name() })}</ReadOnlyNote>
      <Values server={server} names={fieldsOfPermission('EDIT_DETAILS')} />
    </section>
  )
}

export function ReadOnlyAppearance({ server }: { server: ShownServer }) {
  const owner = ownerName(server)
  return (
    <section aria-labelledby="appearance" className="card p-5">
      <h2 id="appearance" className="mb-3 font-medium">
        {m.servers_listing_appearance()}
      </h2>
      <ReadOnlyNote>{m.servers_listing_read_only_appearance({ owner, permission: PERMISSIONS.EDIT_APPEARANCE.name() })}</ReadOnlyNote>
      <Values server={server} names={fieldsOfPermission('EDIT_APPEARANCE')} />
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

function Values({ server, names }: { server: ShownServer; names: readonly ServerFieldName[] }) {
  const groups = server.group === null ? [] : [server.group]
  return (
    <dl className="mt-3">
      {names.map((name) => (
        <div key={name} className="grid gap-x-4 border-t border-line py-2.5 first:border-t-0 sm:grid-cols-[140px_minmax(0,1fr)]">
          <dt className="text-13 text-ink-3">{serverField(name).label()}</dt>
          <dd className="[overflow-wrap:anywhere] whitespace-pre-line">
            {shownValue(name, server, groups) ?? <span className="text-ink-3">{m.common_none()}</span>}
            {server.dormant.includes(name as BenefitField) && (
              <span className="block text-13 text-ink-3">{m.servers_listing_dormant_owner({ owner: ownerName(server) })}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
