import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsKey } from '#contract/benefits.ts'
import type { BannerView, JoinBackgroundView } from '#contract/benefit-settings.ts'
import { m } from '#messages'
import { settingsOptions } from '#web/features/benefits/benefits.api.ts'
import { ImageField } from '#web/features/images/image-field.tsx'
import { imageValuesOf, type ImageValues } from './form-values.ts'
import { ConnectPreview, JoinPreview } from './previews/image-previews.tsx'
import { shownOf } from './previews/launcher-parts.tsx'
import type { SettingsOwner } from './settings-owner.ts'
import { LauncherForm } from './launcher-form.tsx'
import { PreviewFor, SettingsFrame } from './settings-frame.tsx'
import { useSettingsForm } from './use-settings-form.ts'

export function BenefitSettings({ benefit, holder }: { benefit: SettingsKey; holder: SettingsOwner }) {
  const { data: view } = useSuspenseQuery(settingsOptions(benefit, holder.whose))
  // A draft belongs to one form.
  const key = `${benefit} ${holder.whose ?? ''}`
  if (view.key === 'CUSTOM_LAUNCHER') return <LauncherForm key={key} view={view} holder={holder} />
  return <ImageForm key={key} view={view} holder={holder} />
}

const KINDS = {
  CUSTOM_BANNER: { label: m.benefits_form_banner(), purpose: 'BANNER', Preview: ConnectPreview },
  CUSTOM_JOIN_BACKGROUND: { label: m.benefits_form_join_background(), purpose: 'JOIN_BACKGROUND', Preview: JoinPreview },
} as const

function ImageForm({ view, holder }: { view: BannerView | JoinBackgroundView; holder: SettingsOwner }) {
  const { servers } = holder
  const form = useSettingsForm<ImageValues>(view.key, holder, imageValuesOf(view))
  const { typed, change, problems } = form
  const { label, purpose, Preview } = KINDS[view.key]
  const [asked, setAsked] = useState('')
  const isFor = (id: string) => typed.all_servers || typed.server_ids.includes(id)
  const looked = servers.find(({ public_id }) => public_id === asked) ?? servers.find(({ public_id }) => isFor(public_id)) ?? servers[0]
  return (
    <SettingsFrame
      form={form}
      holder={holder}
      fields={
        <div data-field="image_id">
          <ImageField
            label={label}
            purpose={purpose}
            value={typed.image_id}
            url={typed.image_url}
            error={problems['image_id']}
            onChange={(image) => change({ image_id: image?.id ?? null, image_url: image?.url ?? null })}
          />
        </div>
      }
      preview={
        <>
          <PreviewFor servers={servers} value={looked?.public_id ?? ''} onChange={setAsked} />
          <Preview shown={shownOf(looked)} url={typed.image_url} isFor={looked === undefined || isFor(looked.public_id)} />
        </>
      }
    />
  )
}
