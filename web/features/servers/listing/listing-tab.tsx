import { Lock, BadgeCheck, Globe, Layers, Megaphone, Users } from 'lucide-react'
import { useState } from 'react'
import { PERMISSIONS } from '#contract/servers/permissions.ts'
import { BENEFIT_FIELDS, type BenefitField, fieldsOfPermission, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Control } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { languageName, regionName } from '#web/lib/code-names.ts'
import { ConflictDialog } from '#web/ui/form/conflict-dialog.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { type Entitlement, unlocks, useEntitlement } from './entitlement.ts'
import { ServerFieldControl } from './field-controls.tsx'
import { ListingContext, type ListingInput, toListingInput, useListing, useListingForm, shownValue } from './listing-form.tsx'
import { visibleAppearance, type VisibleAppearance, playersText } from './visible-appearance.ts'

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
          <ListingPreview appearance={appearance} />
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

/** The fields that the user would edit with this permission. */
function ReadOnlyFields({ server, permission }: { server: ShownServer; permission: 'EDIT_DETAILS' | 'EDIT_APPEARANCE' }) {
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

function ListingPreview({ appearance }: { appearance: VisibleAppearance }) {
  const { form, server } = useListing()
  const { name, language, region, tags, visible, description, game_mode, website } = form.values
  return (
    <aside aria-label={m.servers_listing_preview()} className="lg:sticky lg:top-6">
      <h2 className="mb-2 text-12 text-ink-3">{visible ? m.servers_listing_preview_title() : m.servers_listing_preview_title_hidden()}</h2>
      <div className={visible ? 'card overflow-hidden p-4' : 'card overflow-hidden border-dashed p-4'}>
        {server.banner_url !== null && (
          <img src={server.banner_url} alt="" className="-mx-4 -mt-4 mb-3 h-24 w-[calc(100%+2rem)] max-w-none object-cover" />
        )}
        <div className="flex items-start gap-3">
          <ImageTile id={server.public_id} name={name} url={appearance.iconUrl} className="size-12" />
          <div className="min-w-0 flex-1">
            <p className="flex items-start gap-1.5 font-semibold">
              <span className="min-w-0 break-words">{name.trim() || m.servers_listing_preview_name()}</span>
              {server.verified && (
                <BadgeCheck size={14} className="mt-1 shrink-0 text-ok" role="img" aria-label={m.servers_flag_verified()} />
              )}
              {appearance.promoted && (
                <Megaphone size={14} className="mt-1 shrink-0 text-info" role="img" aria-label={m.servers_flag_promoted()} />
              )}
            </p>
            {appearance.vanity !== null && <p className="font-mono text-12 [overflow-wrap:anywhere] text-ink-3">@{appearance.vanity}</p>}
            <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-12 text-ink-3">
              <span className="inline-flex items-center gap-1 tabular-nums">
                <Users size={12} aria-hidden="true" />
                {playersText(server.live)}
              </span>
              <span>{languageName(language)}</span>
              {region !== '' && <span>{regionName(region)}</span>}
              {game_mode?.trim() && <span>{game_mode}</span>}
            </p>
          </div>
        </div>
        {appearance.group !== null && (
          <p className="mt-3 flex items-center gap-1.5 text-12 text-ink-2">
            <Layers size={12} className="shrink-0 text-ink-3" aria-hidden="true" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{appearance.group}</span>
          </p>
        )}
        {description?.trim() && <p className="mt-3 text-13 break-words whitespace-pre-line text-ink-2">{description}</p>}
        {tags.length > 0 && (
          <p className="mt-3 flex flex-wrap gap-1">
            {tags.map((tag) => (
              <span key={tag} className="rounded-6 border border-line px-1.5 text-12 text-ink-2">
                {tag}
              </span>
            ))}
          </p>
        )}
        {website?.trim() && (
          <p className="mt-3 flex items-center gap-1.5 text-12 break-all text-ink-3">
            <Globe size={12} className="shrink-0" aria-hidden="true" />
            {website}
          </p>
        )}
      </div>
    </aside>
  )
}
