// Handles presses of the prerendered login button until login.tsx has loaded. Shows it as busy; login.tsx repeats the press.
;(() => {
  let scriptFailed = false
  addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    const app = button?.closest('#app[data-prerendered]')
    if (!app) return
    if (scriptFailed) return location.reload()
    if ('pressed' in app.dataset) return
    app.dataset.pressed = ''
    button.ariaDisabled = 'true'
    // Saves a round trip: call.ts takes this response.
    const reply = fetch('/api/auth/discord', { headers: { 'accept-language': document.documentElement.lang } })
    reply.catch(() => {})
    window.musterHeadStart = { '/api/auth/discord': reply }
  })
  // An import that failed can't be retried without a reload. Reloads only after a press.
  addEventListener('muster:no-script', () => {
    scriptFailed = true
    if (document.querySelector('#app[data-pressed]')) location.reload()
  })
})()
