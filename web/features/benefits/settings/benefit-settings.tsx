import { useSuspenseQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useRef } from 'react'
import { type BannerView, type JoinBackgroundView, LAUNCHER_NAME, type LauncherView } from '#contract/benefits/benefit-settings.ts'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { lowestTierWith, type SettingsKey, TIERS } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { benefitSettingsOptions } from '#web/features/benefits/benefits.api.ts'
import { ImageField } from '#web/features/images/image-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { DEFAULT_COLOR, isColor } from './color.ts'
import { FeedField, useFeedPreview } from './feed-field.tsx'
import { ConnectPreview, JoinPreview, LauncherPreview, toPreview } from './previews.tsx'
import { LAUNCHER_LABELS, type LauncherValues, SettingsFrame, useImageForm, useLauncherForm } from './settings-form.tsx'
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

function LauncherForm({ view, owner }: { view: LauncherView; owner: SettingsOwner }) {
  const { benefits, servers } = owner
  const hasUi = benefits.includes('CUSTOM_UI_URL')
  const form = useLauncherForm(view, owner)
  const feed = useFeedPreview()
  const { values } = form
  const selectedServers = servers.filter(({ public_id }) => values.server_ids === null || values.server_ids.includes(public_id))
  const news = feed.data && feed.variables === values.rss_url.trim() ? feed.data.items.map(({ title }) => title) : []
  return (
    <SettingsFrame
      form={form}
      owner={owner}
      fields={
        <>
          <TextField
            form={form}
            name="name"
            label={m.benefits_form_name()}
            optional
            hint={m.benefits_form_name_hint()}
            max={LAUNCHER_NAME.max}
            placeholder={m.benefits_preview_launcher()}
          />
          <ColorField form={form} />
          {IMAGES.map((image) => (
            <ImageField key={image.name} form={form} label={LAUNCHER_LABELS[image.name]()} {...image} />
          ))}
          <FeedField form={form} preview={feed} />
          <UiField form={form} isHeld={hasUi} />
        </>
      }
      preview={
        <LauncherPreview
          values={hasUi ? values : { ...values, ui_url: '' }}
          servers={servers.length === 0 ? [toPreview(undefined)] : selectedServers.map(toPreview)}
          news={news}
        />
      }
    />
  )
}

interface FieldProps {
  form: Form<LauncherValues>
}

const IMAGES = [
  { name: 'background_image_id', purpose: 'LAUNCHER_BACKGROUND', hint: m.benefits_form_background_hint() },
  { name: 'logo_image_id', purpose: 'LAUNCHER_LOGO', hint: m.benefits_form_logo_hint() },
  { name: 'ui_background_image_id', purpose: 'LAUNCHER_UI_BACKGROUND', hint: m.benefits_form_ui_background_hint() },
] as const

function ColorField({ form }: FieldProps) {
  const { primary_color: color } = form.values
  const change = (text: string) => form.change({ primary_color: text })
  return (
    <TextField
      form={form}
      name="primary_color"
      label={m.benefits_form_color()}
      optional
      hint={m.benefits_form_color_hint()}
      normalize={withHash}
      placeholder={DEFAULT_COLOR}
      spellCheck={false}
      maxLength={16}
      className="max-w-36 font-mono"
      before={
        <input
          type="color"
          aria-label={m.benefits_form_color_pick()}
          value={isColor(color) ? color.toLowerCase() : DEFAULT_COLOR}
          onChange={(event) => change(event.target.value)}
          className="h-9 w-12 shrink-0 rounded-6 border border-line-strong bg-field p-1 pointer-coarse:h-11"
        />
      }
      after={
        color !== '' && (
          <Button variant="quiet" onClick={() => change('')}>
            {m.benefits_form_color_default()}
          </Button>
        )
      }
    />
  )
}

/** Adds the hash that pasted colours often lack. */
function withHash(text: string): string {
  const trimmed = text.trim()
  return /^[0-9a-f]{6}$/i.test(trimmed) ? `#${trimmed}` : trimmed
}

/** Needs its own benefit. Without it, the field explains that, and a saved address can only be removed. */
function UiField({ form, isHeld }: FieldProps & { isHeld: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const isEmpty = form.values.ui_url === ''
  const tier = lowestTierWith('CUSTOM_UI_URL')
  const benefit = BENEFITS.CUSTOM_UI_URL.name()
  const lockedHint =
    tier === null
      ? (isEmpty ? m.benefits_form_ui_locked : m.benefits_form_ui_locked_kept)({ benefit })
      : (isEmpty ? m.benefits_form_ui_locked_tier : m.benefits_form_ui_locked_tier_kept)({ benefit, tier: TIERS[tier].name })
  return (
    <TextField
      form={form}
      name="ui_url"
      label={m.benefits_form_ui()}
      optional
      hint={isHeld ? m.benefits_form_ui_hint() : lockedHint}
      aside={isHeld ? undefined : <Lock size={13} aria-hidden="true" />}
      ref={input}
      type="url"
      inputMode="url"
      readOnly={!isHeld}
      placeholder={isHeld ? 'https://example.com/launcher' : undefined}
      className="min-w-0 flex-1 read-only:bg-surface-2 read-only:text-ink-2"
      after={
        !isHeld &&
        !isEmpty && (
          <Button
            variant="quiet"
            aria-label={m.benefits_form_remove_ui()}
            onClick={() => {
              form.change({ ui_url: '' })
              input.current?.focus()
            }}
          >
            {m.benefits_form_remove()}
          </Button>
        )
      }
    />
  )
}
