import { Lock } from 'lucide-react'
import { useRef } from 'react'
import { BENEFITS, TIERS, tierWith } from '#contract/benefits.ts'
import { LAUNCHER_NAME, type LauncherView } from '#contract/benefit-settings.ts'
import type { Image } from '#contract/images.ts'
import { ImageField } from '#web/features/images/image-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { ColorField } from './color-field.tsx'
import { FeedField } from './feed-field.tsx'
import { launcherValuesOf, type LauncherValues } from './form-values.ts'
import { LauncherPreview } from './previews/launcher-preview.tsx'
import { shownOf } from './previews/shown.ts'
import type { Holder } from './holder.ts'
import { ServersField } from './servers-field.tsx'
import type { Whose } from './settings.api.ts'
import { focusField, SettingsFrame } from './settings-frame.tsx'
import { useFeedPreview } from './use-feed-preview.ts'
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts'

interface LauncherFormProps {
  view: LauncherView
  whose: Whose
  holder: Holder
}

/** Name, colour, pictures, news and the page of its own that the launcher takes on. */
export function LauncherForm({ view, whose, holder: { name, held, servers } }: LauncherFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const hasUi = held.includes('CUSTOM_UI_URL')
  const locked = hasUi ? [] : (['ui_url'] as const)
  const form = useSettingsForm<LauncherValues>({ key: view.key, whose, saved: launcherValuesOf(view), servers, locked }, (field) =>
    focusField(element.current, field),
  )
  const feed = useFeedPreview()
  const { typed, change, leave, problems } = form
  const chosen = typed.all_servers ? servers : servers.filter(({ public_id }) => typed.server_ids.includes(public_id))
  const news = feed.data && feed.variables === typed.rss_url.trim() ? feed.data.items.map(({ title }) => title) : []
  return (
    <SettingsFrame
      form={form}
      element={element}
      fields={
        <>
          <NameField form={form} />
          <ColorField
            value={typed.primary_color}
            onChange={(primary_color) => change({ primary_color })}
            onLeave={() => leave('primary_color')}
            error={problems['primary_color']}
          />
          <Pictures form={form} />
          <FeedField
            value={typed.rss_url}
            onChange={(rss_url) => change({ rss_url })}
            onLeave={() => leave('rss_url')}
            error={problems['rss_url']}
            preview={feed}
          />
          <UiField form={form} isHeld={hasUi} />
          <ServersField servers={servers} value={typed} onChange={change} owner={name} error={problems['server_ids']} />
        </>
      }
      preview={
        <>
          <h2 className="mb-3 text-12 text-ink-3">As players see it</h2>
          <LauncherPreview
            typed={hasUi ? typed : { ...typed, ui_url: '' }}
            servers={servers.length === 0 ? [shownOf(undefined)] : chosen.map(shownOf)}
            news={news}
          />
        </>
      }
    />
  )
}

type PartProps = { form: SettingsForm<LauncherValues> }

function NameField({ form: { typed, change, leave, problems } }: PartProps) {
  return (
    <div data-field="name">
      <Field
        label="Name"
        optional
        hint="What the launcher calls itself."
        error={problems['name']}
        aside={`${Array.from(typed.name).length} / ${LAUNCHER_NAME.max}`}
      >
        {(props) => (
          <input
            {...props}
            value={typed.name}
            onChange={(event) => change({ name: event.target.value })}
            onBlur={() => leave('name')}
            autoComplete="off"
            placeholder="Launcher"
            className="field-input"
          />
        )}
      </Field>
    </div>
  )
}

const PICTURES = [
  { field: 'background', label: 'Background', purpose: 'LAUNCHER_BACKGROUND', hint: 'The splash while it starts.' },
  { field: 'logo', label: 'Logo', purpose: 'LAUNCHER_LOGO', hint: 'On the splash and beside the name. May be see-through.' },
  { field: 'ui_background', label: 'UI background', purpose: 'LAUNCHER_UI_BACKGROUND', hint: 'Behind the launcher’s own window.' },
] as const

function Pictures({ form: { typed, change, problems } }: PartProps) {
  return PICTURES.map(({ field, label, purpose, hint }) => {
    const [id, url] = [`${field}_image_id`, `${field}_image_url`] as const
    return (
      <div key={field} data-field={id}>
        <ImageField
          label={label}
          purpose={purpose}
          hint={hint}
          value={typed[id]}
          url={typed[url]}
          error={problems[id]}
          onChange={(image: Image | null) => change({ [id]: image?.id ?? null, [url]: image?.url ?? null })}
        />
      </div>
    )
  })
}

/** Under another benefit than the rest: without it the field says what it takes, and what is saved can only stay or go. */
function UiField({ form: { typed, change, leave, problems }, isHeld }: PartProps & { isHeld: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const tier = tierWith('CUSTOM_UI_URL')
  const from = tier === null ? '' : `, which comes with ${TIERS[tier].name}`
  const why = `This takes the benefit ${BENEFITS.CUSTOM_UI_URL.name}${from}.${typed.ui_url === '' ? '' : ' The address is kept until then.'}`
  const lock = isHeld ? undefined : <Lock size={13} aria-hidden="true" />
  return (
    <div data-field="ui_url">
      <Field
        label="UI address"
        optional
        aside={lock}
        hint={isHeld ? 'A page of yours in place of the launcher’s own. It must begin with https://.' : why}
        error={problems['ui_url']}
      >
        {(props) => (
          <div className="flex gap-2">
            <input
              {...props}
              ref={input}
              type="url"
              inputMode="url"
              autoComplete="off"
              readOnly={!isHeld}
              value={typed.ui_url}
              onChange={(event) => change({ ui_url: event.target.value })}
              onBlur={() => leave('ui_url')}
              placeholder={isHeld ? 'https://example.com/launcher' : undefined}
              className="field-input min-w-0 flex-1 read-only:bg-surface-2 read-only:text-ink-2"
            />
            {!isHeld && typed.ui_url !== '' && (
              <Button
                look="quiet"
                aria-label="Remove: UI address"
                onClick={() => {
                  change({ ui_url: '' })
                  // This button goes with the address.
                  input.current?.focus()
                }}
              >
                Remove
              </Button>
            )}
          </div>
        )}
      </Field>
    </div>
  )
}
