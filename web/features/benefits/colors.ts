/** The colours of benefits. The classes are written out because the stylesheet is made of what stands in the sources. */
import type { Hue } from '#contract/benefits.ts'

export const HUE_TEXT: Readonly<Record<Hue, string>> = {
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
