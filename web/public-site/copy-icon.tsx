/** The icon of a button that copies. The script shows the tick (enhance/copying.ts). */
export function CopyIcon({ size = 14 }: { size?: number }) {
  return (
    <>
      <svg width={size} height={size} className="copy-idle" aria-hidden="true">
        <use href="#copy" />
      </svg>
      <svg width={size} height={size} className="copy-done" aria-hidden="true">
        <use href="#copied" />
      </svg>
    </>
  )
}
