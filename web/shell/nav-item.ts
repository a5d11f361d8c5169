/** Entries of the rail. In the bottom bar, icons are above their labels, so that they fit beside the account menu. */
export const NAV_ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-6 px-2.5 text-14 text-ink-2 transition-colors duration-100 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:min-h-11 max-sm:h-12 max-sm:flex-auto max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:min-w-0 max-sm:overflow-hidden max-sm:px-0.5 max-sm:text-12 max-[359px]:px-0'
/** In the bottom bar, only labels that fit whole: a longer one wraps below the empty first item of its line, out of sight. */
export const NAV_LABEL =
  "sm:max-lg:sr-only max-sm:flex max-sm:h-4 max-sm:w-full max-sm:flex-wrap max-sm:justify-center max-sm:overflow-hidden max-sm:whitespace-nowrap max-sm:before:h-4 max-sm:before:content-['']"
export const NAV_ACTIVE = 'bg-surface-2 text-ink-1 font-medium'
