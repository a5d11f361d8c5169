// The login page is drawn before its script has come. Its button looks busy when pressed until then, and login.tsx goes on with it.
;(() => {
  let alone = false
  addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    const app = button?.closest('#app[data-drawn]')
    if (!app) return
    if (alone) return location.reload()
    if ('pressed' in app.dataset) return
    app.dataset.pressed = ''
    button.ariaDisabled = 'true'
    // Begun now, for call.ts to pick up: a round trip less.
    const reply = fetch('/api/auth/discord')
    reply.catch(() => {})
    window.musterHeadStart = { '/api/auth/discord': reply }
  })
  // A failed import can't be tried again in the same page. It is loaded again only for a visitor who pressed something.
  addEventListener('muster:no-script', () => {
    alone = true
    if (document.querySelector('#app[data-pressed]')) location.reload()
  })
})()
