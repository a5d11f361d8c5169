import { Lock } from 'lucide-react'
import { useState } from 'react'
import { PERMISSIONS } from '#contract/servers/permissions.ts'
import { BENEFIT_FIELDS, type BenefitField, fieldsOfPermission, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { type Entitlement, unlocks, useEntitlement } from './entitlement.ts'
import { ServerFieldControl } from './field-controls.tsx'
import { ListingContext, type ListingInput, toListingInput, useListingForm } from './listing-form.ts'
import { ListingPreview } from './listing-preview.tsx'
import { shownValue } from './shown-value.tsx'
import { visibleAppearance } from './visible-appearance.ts'

/** The listing beside its preview. Managers may be able to edit only a part of it. */
export function ListingTab({ server }: { server: ShownServer }) {
  const { entitlement, error, retry } = useEntitlement(server)
  const form = useListingForm(server, entitlement)
  const [pendingTag, setPendingTag] = useState('')
  const appearance = entitlement ? draftAppearance(form.values, entitlement) : visibleAppearance(server)
  return (
    <Form form={form}>
      <ListingContext value={{ form, server, entitlement }}>
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
          <div className="min-w-0 space-y-6">
            {hasPermission(server, 'EDIT_DETAILS') ? (
              <Details onPendingTag={setPendingTag} />
            ) : (
              <ReadOnlyFields server={server} permission="EDIT_DETAILS" />
            )}
            {hasPermission(server, 'EDIT_APPEARANCE') ? (
              <AppearanceFields error={error} onRetry={retry} />
            ) : (
              <ReadOnlyFields server={server} permission="EDIT_APPEARANCE" />
            )}
          </div>
          <ListingPreview server={server} values={form.values} appearance={appearance} />
        </div>
      </ListingContext>
      <SaveBar form={form} />
      <UnsavedGuard form={form} dirty={form.isDirty || pendingTag !== ''} what={m.servers_listing_what()} />
      <ConflictDialog form={form} />
    </Form>
  )
}

function draftAppearance({ icon_image_id, group_id, promoted, vanity_url }: ListingInput, entitlement: Entitlement) {
  return visibleAppearance({
    icon_url: icon_image_id?.url ?? null,
    group: entitlement.groups.find(({ id }) => id === group_id) ?? null,
    promoted,
    vanity_url,
    dormant: BENEFIT_FIELDS.filter((name) => !unlocks(entitlement, name)),
  })
}

/** They stand side by side. */
const NARROW: readonly Control[] = ['language', 'region']

function Details({ onPendingTag }: { onPendingTag: (text: string) => void }) {
  return (
    <div className="card grid gap-5 p-5 sm:grid-cols-2">
      {fieldsOfPermission('EDIT_DETAILS').map((name) => (
        <div key={name} className={NARROW.includes(serverField(name).control) ? 'min-w-0' : 'min-w-0 sm:col-span-2'}>
          <ServerFieldControl name={name} onPendingTag={onPendingTag} />
        </div>
      ))}
    </div>
  )
}

interface ReadOnlyFieldsProps {
  server: ShownServer
  permission: 'EDIT_DETAILS' | 'EDIT_APPEARANCE'
}

/** The fields that the user would edit with this permission. */
function ReadOnlyFields({ server, permission }: ReadOnlyFieldsProps) {
  const isAppearance = permission === 'EDIT_APPEARANCE'
  const note = isAppearance ? m.servers_listing_read_only_appearance : m.servers_listing_read_only
  const owner = server.owner?.discord.username ?? m.servers_listing_the_owner()
  const values = toListingInput(server)
  return (
    <section aria-label={isAppearance ? m.servers_listing_appearance() : m.servers_tab_listing()} className="card p-5">
      {isAppearance && <h2 className="mb-3 font-medium">{m.servers_listing_appearance()}</h2>}
      <p className="flex gap-2.5 rounded-6 bg-surface-2 px-3 py-2.5 text-13 text-ink-2">
        <Lock size={15} className="mt-0.5 shrink-0 text-ink-3" aria-hidden="true" />
        <span>{note({ owner, permission: PERMISSIONS[permission].name() })}</span>
      </p>
      <dl className="mt-3">
        {fieldsOfPermission(permission).map((name) => (
          <div key={name} className="grid gap-x-4 border-t border-line py-2.5 first:border-t-0 sm:grid-cols-[140px_minmax(0,1fr)]">
            <dt className="text-13 text-ink-3">{serverField(name).label()}</dt>
            <dd className="[overflow-wrap:anywhere] whitespace-pre-line">
              {shownValue(name, values, server.group ? [server.group] : []) ?? <span className="text-ink-3">{m.common_none()}</span>}
              {server.dormant.includes(name as BenefitField) && (
                <span className="block text-13 text-ink-3">{m.servers_listing_dormant_owner({ owner })}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
