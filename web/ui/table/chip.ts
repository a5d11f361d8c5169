/** How the filters over a list look. */
export const CHIP =
  'inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border px-3 text-13 whitespace-nowrap transition-colors duration-100 pointer-coarse:min-h-11'
