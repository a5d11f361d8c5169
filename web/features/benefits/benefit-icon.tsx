import { AppWindow, AtSign, Fingerprint, Image, Layers, type LucideIcon, Megaphone, Palette, Rocket, Shield, Wallpaper } from 'lucide-react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
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

/** Decorative: the benefit's name is beside it. */
export function BenefitIcon({ benefit, bare = false, muted = false }: { benefit: BenefitKey; bare?: boolean; muted?: boolean }) {
  const { icon, hue } = BENEFITS[benefit]
  const Icon = ICONS[icon]
  const style = { color: `var(--hue-${hue})` }
  if (bare) return <Icon size={15} style={style} className="shrink-0" aria-hidden="true" />
  return (
    <span
      aria-hidden="true"
      style={style}
      className={cx('inline-flex size-9 shrink-0 items-center justify-center rounded-10', muted ? 'bg-surface-2' : 'bg-current/14')}
    >
      <Icon size={18} />
    </span>
  )
}
