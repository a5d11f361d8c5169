/** The logo: a list of servers whose first one is online. The drawing and colours of `public/icon.svg`, in both themes. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="#2f6fed" />
      <g stroke="#fff" strokeWidth="4" strokeLinecap="round">
        <path d="M9 10h8" />
        <path d="M9 16h5" opacity=".75" />
        <path d="M9 22h8" opacity=".5" />
      </g>
      <circle cx="23.5" cy="10" r="2.5" fill="#7df0b8" />
    </svg>
  )
}
