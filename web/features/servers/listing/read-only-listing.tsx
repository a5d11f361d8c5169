import { Lock } from 'lucide-react'
import { type BenefitField, type ServerFieldName, fieldsOfPermission, serverField } from '#contract/servers/server-field-shapes.ts'
import { PERMISSIONS } from '#contract/servers/permissions.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { toListingInput } from './listing-form.ts'
import { shownValue } from './shown-value.tsx'

interface ReadOnlyFieldsProps {
  server: ShownServer
  permission: 'EDIT_DETAILS' | 'EDIT_APPEARANCE'
}

/** The fields that the user would edit with this permission. */
export function ReadOnlyFields({ server, permission }: ReadOnlyFieldsProps) {
  const isAppearance = permission === 'EDIT_APPEARANCE'
  const note = isAppearance ? m.servers_listing_read_only_appearance : m.servers_listing_read_only
  return (
    <section aria-label={isAppearance ? m.servers_listing_appearance() : m.servers_tab_listing()} className="card p-5">
      {isAppearance && <h2 className="mb-3 font-medium">{m.servers_listing_appearance()}</h2>}
      <p className="flex gap-2.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
        <Lock size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden="true" />
        <span>{note({ owner: ownerName(server), permission: PERMISSIONS[permission].name() })}</span>
      </p>
      <Values server={server} names={fieldsOfPermission(permission)} />
    </section>
  )
}

function ownerName({ owner }: ShownServer): string {
  return owner?.discord.username ?? m.servers_listing_the_owner()
}

function Values({ server, names }: { server: ShownServer; names: readonly ServerFieldName[] }) {
  const groups = server.group === null ? [] : [server.group]
  const values = toListingInput(server)
  return (
    <dl className="mt-3">
      {names.map((name) => (
        <div key={name} className="grid gap-x-4 border-t border-line py-2.5 first:border-t-0 sm:grid-cols-[140px_minmax(0,1fr)]">
          <dt className="text-13 text-ink-3">{serverField(name).label()}</dt>
          <dd className="[overflow-wrap:anywhere] whitespace-pre-line">
            {shownValue(name, values, groups) ?? <span className="text-ink-3">{m.common_none()}</span>}
            {server.dormant.includes(name as BenefitField) && (
              <span className="block text-13 text-ink-3">{m.servers_listing_dormant_owner({ owner: ownerName(server) })}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
