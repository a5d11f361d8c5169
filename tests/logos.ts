/** Logos of operators, for tests. */
import sharp from 'sharp'

export const SVG_LOGO =
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0d6b4f"/><path d="M16 44 32 16l16 28z" fill="#fff"/></svg>'

export const pngLogo = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 4, background: '#0d6b4f' } })
    .png()
    .toBuffer()
