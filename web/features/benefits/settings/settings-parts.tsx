/** The parts of the settings that a conflict shows. */
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import type { ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import type { ImageValues, LauncherValues, ServerChoice } from './form-values.ts'

function imagePart<T>(label: string, id: keyof T & string, url: keyof T & string): ConflictPart<T> {
  return {
    name: id,
    label,
    fields: [id, url],
    show: (values) => {
      const address = values[url]
      return typeof address === 'string' ? (
        <img src={address} alt={label} className="mt-1 max-h-24 max-w-full rounded-6" />
      ) : (
        m.common_none()
      )
    },
  }
}

function serversPart<T extends ServerChoice>(servers: readonly Server[]): ConflictPart<T> {
  const nameOf = (id: string) => servers.find(({ public_id }) => public_id === id)?.name ?? id
  return {
    name: 'server_ids',
    label: m.nav_servers(),
    fields: ['all_servers', 'server_ids'],
    show: ({ all_servers: isAll, server_ids: ids }) => {
      if (isAll) return m.benefits_servers_all()
      return ids.length === 0 ? m.common_none() : ids.map(nameOf).join(', ')
    },
  }
}

export function imageParts(label: string, servers: readonly Server[]): readonly ConflictPart<ImageValues>[] {
  return [imagePart(label, 'image_id', 'image_url'), serversPart(servers)]
}

export function launcherParts(servers: readonly Server[]): readonly ConflictPart<LauncherValues>[] {
  const text = (name: 'name' | 'primary_color' | 'rss_url' | 'ui_url', label: string): ConflictPart<LauncherValues> => ({
    name,
    label,
    fields: [name],
    show: (values) => (values[name] === '' ? m.common_none() : values[name]),
  })
  return [
    text('name', m.benefits_form_name()),
    text('primary_color', m.benefits_form_color()),
    imagePart(m.benefits_form_background(), 'background_image_id', 'background_image_url'),
    imagePart(m.benefits_form_logo(), 'logo_image_id', 'logo_image_url'),
    imagePart(m.benefits_form_ui_background(), 'ui_background_image_id', 'ui_background_image_url'),
    text('rss_url', m.benefits_form_feed()),
    text('ui_url', m.benefits_form_ui()),
    serversPart(servers),
  ]
}
