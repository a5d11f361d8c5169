import { type ReactNode, useState } from 'react'
import { fieldsOfPermission, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { draftAppearance, useEntitlement } from './entitlement.ts'
import { CONTROLS } from './field-controls.tsx'
import { ListingContext, toListingInput, useListingForm } from './listing-form.ts'
import { ListingPreview } from './listing-preview.tsx'
import { ReadOnlyFields } from './read-only-listing.tsx'
import { visibleAppearance } from './visible-appearance.ts'

/** The listing beside its preview. Managers may be able to edit only a part of it. */
export function ListingTab({ server }: { server: ShownServer }) {
  if (hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE')) return <EditListing server={server} />
  return (
    <Columns preview={<ListingPreview server={server} values={toListingInput(server)} appearance={visibleAppearance(server)} />}>
      <ReadOnlyFields server={server} permission="EDIT_DETAILS" />
      <ReadOnlyFields server={server} permission="EDIT_APPEARANCE" />
    </Columns>
  )
}

function Columns({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="min-w-0 space-y-6">{children}</div>
      {preview}
    </div>
  )
}

function EditListing({ server }: { server: ShownServer }) {
  const { entitlement, error, retry } = useEntitlement(server)
  const form = useListingForm(server, entitlement)
  const [pendingTag, setPendingTag] = useState('')
  const appearance = entitlement ? draftAppearance(form.values, entitlement) : visibleAppearance(server)
  return (
    <Form form={form}>
      <ListingContext value={{ form, server, entitlement }}>
        <Columns preview={<ListingPreview server={server} values={form.values} appearance={appearance} />}>
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
        </Columns>
      </ListingContext>
      <SaveBar form={form} />
      <UnsavedGuard form={form} dirty={form.isDirty || pendingTag !== ''} what={m.servers_listing_what()} />
      <ConflictDialog form={form} />
    </Form>
  )
}

/** They stand side by side. */
const NARROW: readonly Control[] = ['language', 'region']

function Details({ onPendingTag }: { onPendingTag: (text: string) => void }) {
  return (
    <div className="card grid gap-5 p-5 sm:grid-cols-2">
      {fieldsOfPermission('EDIT_DETAILS').map((name) => {
        const { control } = serverField(name)
        const Control = CONTROLS[control]
        return (
          <div key={name} className={NARROW.includes(control) ? 'min-w-0' : 'min-w-0 sm:col-span-2'}>
            <Control name={name} onPendingTag={onPendingTag} />
          </div>
        )
      })}
    </div>
  )
}
