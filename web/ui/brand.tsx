/** The logo: a list of servers whose first one is online. The same drawing as `shell/icon.svg`. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-(--brand)" />
      <g className="fill-(--brand-ink)">
        <rect x="7" y="8" width="12" height="4" rx="2" />
        <rect x="7" y="14" width="9" height="4" rx="2" opacity=".75" />
        <rect x="7" y="20" width="12" height="4" rx="2" opacity=".5" />
      </g>
      <circle cx="23.5" cy="10" r="2.5" className="fill-(--brand-dot)" />
    </svg>
  )
}
