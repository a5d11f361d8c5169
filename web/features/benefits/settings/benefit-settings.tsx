import { useSuspenseQuery } from '@tanstack/react-query'
import type { SettingsKey } from '#contract/benefits.ts'
import { LauncherForm } from './launcher-form.tsx'
import { PictureForm } from './picture-form.tsx'
import type { Holder } from './holder.ts'
import { settingsOptions, type Whose } from './settings.api.ts'

interface BenefitSettingsProps {
  benefit: SettingsKey
  whose: Whose
  holder: Holder
}

export function BenefitSettings({ benefit, whose, holder }: BenefitSettingsProps) {
  const { data: view } = useSuspenseQuery(settingsOptions(benefit, whose))
  // A draft belongs to one form.
  const key = `${benefit} ${whose ?? ''}`
  if (view.key === 'CUSTOM_LAUNCHER') return <LauncherForm key={key} view={view} whose={whose} holder={holder} />
  return <PictureForm key={key} view={view} whose={whose} holder={holder} />
}
