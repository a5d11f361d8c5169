import { AppWindow, AtSign, Fingerprint, Image, Layers, type LucideIcon, Megaphone, Palette, Rocket, Shield, Wallpaper } from 'lucide-react'
import { BENEFITS, type Hue } from '#contract/benefits/benefit-texts.ts'
import { type BenefitKey } from '#contract/benefits/benefits.ts'
import { cx } from '#web/ui/class-names.ts'

const ICONS: Readonly<Record<(typeof BENEFITS)[BenefitKey]['icon'], LucideIcon>> = {
  shield: Shield,
  megaphone: Megaphone,
  fingerprint: Fingerprint,
  rocket: Rocket,
  'app-window': AppWindow,
  image: Image,
  'at-sign': AtSign,
  wallpaper: Wallpaper,
  layers: Layers,
  palette: Palette,
}

/** Written out, because Tailwind finds class names in the sources. */
const HUE_TEXT: Readonly<Record<Hue, string>> = {
  red: 'text-(--hue-red)',
  amber: 'text-(--hue-amber)',
  blue: 'text-(--hue-blue)',
  violet: 'text-(--hue-violet)',
  pink: 'text-(--hue-pink)',
  orange: 'text-(--hue-orange)',
  green: 'text-(--hue-green)',
  teal: 'text-(--hue-teal)',
  indigo: 'text-(--hue-indigo)',
  slate: 'text-(--hue-slate)',
}

/** Decorative: the benefit's name is beside it. */
export function BenefitIcon({ benefit, bare = false, muted = false }: { benefit: BenefitKey; bare?: boolean; muted?: boolean }) {
  const { icon, hue } = BENEFITS[benefit]
  const Icon = ICONS[icon]
  if (bare) return <Icon size={15} className={cx('shrink-0', HUE_TEXT[hue])} aria-hidden="true" />
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-10',
        HUE_TEXT[hue],
        muted ? 'bg-surface-2' : 'bg-current/14',
      )}
    >
      <Icon size={18} />
    </span>
  )
}
