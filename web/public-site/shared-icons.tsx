import { Check, Copy, Star } from 'lucide-react'

/** Icons that a page shows many times, for `<use>`. */
export function SharedIcons() {
  return (
    <svg className="hidden" aria-hidden="true">
      <symbol id="star" viewBox="0 0 24 24">
        <Star fill="inherit" />
      </symbol>
      <symbol id="copy" viewBox="0 0 24 24">
        <Copy />
      </symbol>
      <symbol id="copied" viewBox="0 0 24 24">
        <Check />
      </symbol>
    </svg>
  )
}
