/** The forms of benefit settings: their values, what is sent, what a conflict shows, and what surrounds the fields. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { z } from 'zod'
import {
  type BannerView,
  type JoinBackgroundView,
  type LauncherView,
  SETTINGS_BODIES,
  type SettingsView,
} from '#contract/benefits/benefit-settings.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { FormImage, formImage } from '#web/features/images/form-image.ts'
import { ServersField } from '#web/features/servers/servers-field.tsx'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/http/call.ts'
import { ConflictDialog, type ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import { type Form as FormState, namesOf } from '#web/ui/form/form-options.ts'
import { Form, useForm } from '#web/ui/form/form.tsx'
import { SaveBar, UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import type { SettingsOwner } from './settings-owner.ts'

/** Null is all servers. */
const server_ids = z.array(z.string()).nullable()

const ImageSchema = z.object({ image_id: FormImage, server_ids })
type ImageValues = z.input<typeof ImageSchema>

const { name, primary_color, rss_url, ui_url } = SETTINGS_BODIES.CUSTOM_LAUNCHER.shape
/** In forms, nothing is an empty text. */
const LAUNCHER_TEXTS = {
  name: name.unwrap().unwrap(),
  primary_color: z
    .string()
    .transform((color) => color || null)
    .pipe(primary_color.unwrap()),
  rss_url: rss_url.unwrap().unwrap(),
  ui_url: ui_url.unwrap().unwrap(),
}
const LAUNCHER_IMAGES = { background_image_id: FormImage, logo_image_id: FormImage, ui_background_image_id: FormImage }
const LauncherSchema = z.object({ ...LAUNCHER_TEXTS, ...LAUNCHER_IMAGES, server_ids })
export type LauncherValues = z.input<typeof LauncherSchema>

/** In the order of the form. */
export const LAUNCHER_LABELS: Readonly<Record<keyof Omit<LauncherValues, 'server_ids'>, () => string>> = {
  name: m.benefits_form_name,
  primary_color: m.benefits_form_color,
  background_image_id: m.benefits_form_background,
  logo_image_id: m.benefits_form_logo,
  ui_background_image_id: m.benefits_form_ui_background,
  rss_url: m.benefits_form_feed,
  ui_url: m.benefits_form_ui,
}

const chosenServers = (view: SettingsView, servers: readonly Server[]) =>
  view.all_servers ? null : view.server_ids.filter((id) => servers.some(({ public_id }) => public_id === id))

export function useImageForm(view: BannerView | JoinBackgroundView, owner: SettingsOwner, label: string): FormState<ImageValues> {
  return useForm({
    schema: ImageSchema,
    stored: view,
    valuesOf: (each) => ({ image_id: formImage(each.image_id, each.image_url), server_ids: chosenServers(each, owner.servers) }),
    draft: useDraftKey(draftOf(view, owner)),
    parts: [{ name: 'image_id', label, show: ({ image_id: image }) => showValue(image, label) }, serversPart(owner)],
    submit: useSaveSettings(view, owner),
  })
}

export function useLauncherForm(view: LauncherView, owner: SettingsOwner): FormState<LauncherValues> {
  return useForm({
    schema: LauncherSchema,
    stored: view,
    valuesOf: (each) => ({
      name: each.name ?? '',
      primary_color: each.primary_color ?? '',
      background_image_id: formImage(each.background_image_id, each.background_image_url),
      logo_image_id: formImage(each.logo_image_id, each.logo_image_url),
      ui_background_image_id: formImage(each.ui_background_image_id, each.ui_background_image_url),
      rss_url: each.rss_url ?? '',
      ui_url: each.ui_url ?? '',
      server_ids: chosenServers(each, owner.servers),
    }),
    draft: useDraftKey(draftOf(view, owner)),
    parts: [
      ...namesOf(LAUNCHER_LABELS).map((field) => ({
        name: field,
        label: LAUNCHER_LABELS[field](),
        show: (values: LauncherValues) => showValue(values[field], LAUNCHER_LABELS[field]()),
      })),
      serversPart(owner),
    ],
    // Without its benefit, the address can only be removed.
    locked: (values) => (owner.benefits.includes('CUSTOM_UI_URL') || values.ui_url === '' ? [] : ['ui_url']),
    submit: useSaveSettings(view, owner),
  })
}

const draftOf = ({ key }: SettingsView, { id }: SettingsOwner) => `benefit.${key}.${id ?? 'own'}`

function showValue(value: string | FormImage, label: string): ReactNode {
  if (value === null || value === '') return m.common_none()
  return typeof value === 'string' ? value : <img src={value.url} alt={label} className="mt-1 max-h-24 max-w-full rounded-6" />
}

function serversPart({ servers }: SettingsOwner): ConflictPart<Pick<ImageValues, 'server_ids'>> {
  const nameOf = (id: string) => servers.find(({ public_id }) => public_id === id)?.name ?? id
  return {
    name: 'server_ids',
    label: m.nav_servers(),
    show: ({ server_ids: ids }) => (ids === null ? m.benefits_servers_all() : ids.map(nameOf).join(', ') || m.common_none()),
  }
}

/** Replaces the settings. Afterwards they, and the overview of the servers that use the benefit, are read again. */
function useSaveSettings<V extends SettingsView>({ key }: V, { id }: SettingsOwner) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: ({ body, ifMatch }: { body: object; ifMatch: number | undefined }) =>
      id === undefined
        ? call('PUT /api/users/benefits/{key}/settings', { params: { key }, body, ifMatch })
        : call('PUT /api/admin/users/{id}/benefits/{key}/settings', { params: { id, key }, body, ifMatch }),
    onSettled: () => client.invalidateQueries({ queryKey: ['benefits'] }),
  })
  return async ({ server_ids: ids, ...values }: { server_ids: string[] | null }, { ifMatch }: { ifMatch: number | undefined }) => {
    const saved = await mutateAsync({ body: { ...values, server_ids: ids ?? [], all_servers: ids === null }, ifMatch })
    toastSuccess(m.benefits_form_saved())
    return saved as V
  }
}

interface SettingsFrameProps<T extends FieldValues> {
  form: FormState<T>
  owner: SettingsOwner
  fields: ReactNode
  preview: ReactNode
}

export function SettingsFrame<T extends FieldValues>({ form, owner, fields, preview }: SettingsFrameProps<T>) {
  return (
    <Form form={form}>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,460px)]">
        <div className="card min-w-0 space-y-6 p-4 sm:p-5">
          {fields}
          <ServersField
            form={form}
            name={'server_ids' as Path<T>}
            legend={m.nav_servers()}
            servers={owner.servers}
            owner={owner.name}
            noneNote={m.benefits_servers_none_selected()}
          />
        </div>
        <aside
          aria-label={m.benefits_form_preview()}
          className="w-full max-w-[560px] min-w-0 justify-self-center lg:sticky lg:top-6 lg:max-w-none"
        >
          <h2 className="mb-3 text-12 text-ink-3">{m.benefits_form_preview_players()}</h2>
          {preview}
        </aside>
      </div>
      <SaveBar form={form} />
      <ConflictDialog form={form} />
      <UnsavedGuard form={form} what={m.benefits_form_these_settings()} />
    </Form>
  )
}
