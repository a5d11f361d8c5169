import { useSuspenseQuery } from '@tanstack/react-query'
import type { BannerView, JoinBackgroundView } from '#contract/benefits/benefit-settings.ts'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { ImageField } from '#web/features/images/image-field.tsx'
import { LauncherForm } from './launcher-form.tsx'
import { ConnectPreview, JoinPreview, toPreview } from './previews.tsx'
import { SettingsFrame, useImageForm } from './settings-form.tsx'
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
  const shown = servers.find(({ public_id }) => ids === null || ids.includes(public_id))
  return (
    <SettingsFrame
      form={form}
      owner={owner}
      fields={<ImageField form={form} name="image_id" label={label} purpose={purpose} />}
      preview={
        <Preview server={toPreview(shown ?? servers[0])} url={image?.url ?? null} isUsed={servers.length === 0 || shown !== undefined} />
      }
    />
  )
}
