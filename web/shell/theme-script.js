// Runs before the first paint, so that neither theme flashes; the rest is in theme.ts.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('muster.theme')
  } catch {}
  const dark = choice ? choice === 'dark' : !matchMedia('(prefers-color-scheme: light)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  if (location.pathname.startsWith('/login/')) document.documentElement.dataset.page = 'callback'
})()
