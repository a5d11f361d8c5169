import { brand } from '#web/lib/brand.ts'

/**
 * The operator's logo, or the product's: a list of servers whose first one is online. The drawing and colours of `public/icon.svg`, in both
 * themes. The place has its size before the logo is there.
 */
export function BrandMark({ size = 28 }: { size?: number }) {
  if (brand.logoUrl !== undefined) return <img src={brand.logoUrl} alt="" width={size} height={size} className="shrink-0 object-contain" />
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

export function DiscordMark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M19.3 5.3A17 17 0 0 0 15 4l-.6 1.2a15.6 15.6 0 0 0-4.8 0L9 4a17 17 0 0 0-4.3 1.3C2 9.4 1.2 13.3 1.6 17.2A17.3 17.3 0 0 0 6.9 20l1.1-1.8c-.6-.2-1.2-.5-1.7-.9l.4-.3a12.3 12.3 0 0 0 10.6 0l.4.3c-.5.4-1.1.7-1.7.9L17.1 20a17.2 17.2 0 0 0 5.3-2.8c.5-4.5-.7-8.4-3.1-11.9ZM8.6 14.8c-1 0-1.9-1-1.9-2.1s.8-2.1 1.9-2.1 1.9 1 1.9 2.1-.8 2.1-1.9 2.1Zm6.8 0c-1 0-1.9-1-1.9-2.1s.8-2.1 1.9-2.1 1.9 1 1.9 2.1-.8 2.1-1.9 2.1Z" />
    </svg>
  )
}
