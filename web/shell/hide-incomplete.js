// Hides the rendered login page until its script has run where it is wrong, at the callback's address, and where a reason for signing out
// would move its button.
;(() => {
  let reason = null
  try {
    reason = sessionStorage.getItem('muster.farewell')
  } catch {}
  if (reason !== null || location.pathname.startsWith('/login/')) document.documentElement.dataset.page = 'incomplete'
})()
