// Starts the first page's calls while its code loads. call.ts takes the responses.
;(() => {
  const start = (path) => {
    const reply = fetch(path, { headers: { 'accept-language': document.documentElement.lang } })
    reply.catch(() => {})
    return reply
  }
  // The code of the list, for the browser's cache.
  const code = /^\/(servers)?$/.test(location.pathname) && document.querySelector('meta[name=server-list]')
  if (code) void start(code.content)
  // A rendered page comes with the replies.
  const given = document.getElementById('replies')
  const replies = given && Object.entries(JSON.parse(given.textContent))
  const { date } = given?.dataset ?? {}
  window.musterHeadStart = Object.fromEntries(
    replies?.map(([path, reply]) => [path, Promise.resolve(Response.json(reply, { headers: { date } }))]) ??
      ['/api/auth/me', '/api/about', '/api/users/tokens'].map((path) => [path, start(path)]),
  )
})()
