// Starts the first page's calls while its code loads. call.ts takes the responses.
;(() => {
  const start = (path) => {
    const reply = fetch(path, { headers: { 'accept-language': document.documentElement.lang } })
    reply.catch(() => {})
    return reply
  }
  const paths = ['/api/auth/me', '/api/about', '/api/users/tokens']
  window.musterHeadStart = Object.fromEntries(paths.map((path) => [path, start(path)]))
})()
