import { Check, Copy } from 'lucide-react'

/** The icon of a button that copies. The script shows the tick (enhance/copying.ts). */
export function CopyIcon({ size = 14 }: { size?: number }) {
  return (
    <>
      <Copy size={size} className="copy-idle" aria-hidden="true" />
      <Check size={size} className="copy-done" aria-hidden="true" />
    </>
  )
}
