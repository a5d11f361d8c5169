import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import type { BannerView, JoinBackgroundView } from '#contract/benefits/benefit-settings.ts'
import { m } from '#messages'
import { benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { ImageField } from '#web/features/images/image-field.tsx'
import { LauncherForm } from './launcher-form.tsx'
import { ConnectPreview, JoinPreview } from './previews/previews.tsx'
import { toPreview } from './previews/launcher-parts.tsx'
import { useImageForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import type { SettingsOwner } from './settings-owner.ts'

export function BenefitSettings({ benefit, owner }: { benefit: SettingsKey; owner: SettingsOwner }) {
  const { data: view } = useSuspenseQuery(benefitSettingsOptions(benefit, owner.id))
  // A draft belongs to one form.
  const key = `${benefit} ${owner.id ?? ''}`
  if (view.key === 'CUSTOM_LAUNCHER') return <LauncherForm key={key} view={view} owner={owner} />
  return <ImageForm key={key} view={view} owner={owner} />
}

const IMAGE_FORMS = {
  CUSTOM_BANNER: { label: m.benefits_form_banner(), purpose: 'BANNER', Preview: ConnectPreview },
  CUSTOM_JOIN_BACKGROUND: { label: m.benefits_form_join_background(), purpose: 'JOIN_BACKGROUND', Preview: JoinPreview },
} as const

function ImageForm({ view, owner }: { view: BannerView | JoinBackgroundView; owner: SettingsOwner }) {
  const { servers } = owner
  const { label, purpose, Preview } = IMAGE_FORMS[view.key]
  const form = useImageForm(view, owner, label)
  const { image_id: image, server_ids: ids } = form.values
  const [selectedId, setSelectedId] = useState('')
  const isUsedBy = (id: string) => ids === null || ids.includes(id)
  const previewServer =
    servers.find(({ public_id }) => public_id === selectedId) ?? servers.find(({ public_id }) => isUsedBy(public_id)) ?? servers[0]
  return (
    <SettingsFrame
      form={form}
      owner={owner}
      fields={<ImageField form={form} name="image_id" label={label} purpose={purpose} />}
      preview={
        <>
          {servers.length > 1 && (
            <select
              aria-label={m.benefits_form_preview_server()}
              value={previewServer?.public_id}
              onChange={(event) => setSelectedId(event.target.value)}
              className="field-input mb-2 text-13"
            >
              {servers.map(({ public_id, name }) => (
                <option key={public_id} value={public_id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          <Preview
            server={toPreview(previewServer)}
            url={image?.url ?? null}
            isUsed={previewServer === undefined || isUsedBy(previewServer.public_id)}
          />
        </>
      }
    />
  )
}
