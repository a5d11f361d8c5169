/** Entries of the rail. In the bottom bar, icons are above their labels, so that five and the account menu fit into 360 px. */
export const NAV_ITEM =
  'flex min-h-9 items-center gap-2.5 rounded-6 px-2.5 text-14 text-ink-2 transition-colors duration-100 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:min-h-11 max-sm:h-12 max-sm:flex-1 max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:min-w-0 max-sm:overflow-hidden max-sm:px-0.5 max-sm:text-12 max-[359px]:flex-auto max-[359px]:px-0'
export const NAV_ACTIVE = 'bg-surface-2 text-ink-1 font-medium'
