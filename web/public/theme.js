// Applies the theme before the first paint, so that the wrong one does not flash. lib/theme.ts does the rest.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('muster.theme')
  } catch {}
  const dark = choice ? choice === 'dark' : !matchMedia('(prefers-color-scheme: light)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
