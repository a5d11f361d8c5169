// Starts the calls that the first page needs while the panel's code is still on its way; call.ts picks them up.
;(() => {
  const start = (path) => {
    const reply = fetch(path)
    reply.catch(() => {})
    return reply
  }
  const paths = ['/api/auth/me', '/api/about', '/api/users/tokens']
  window.musterHeadStart = Object.fromEntries(paths.map((path) => [path, start(path)]))
})()
