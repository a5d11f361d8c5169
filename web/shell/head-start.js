// Starts the first page's calls while its code loads. call.ts takes the responses.
;(() => {
  const start = (path) => {
    const reply = fetch(path, { headers: { 'accept-language': document.documentElement.lang } })
    reply.catch(() => {})
    return reply
  }
  const me = '/api/auth/me'
  const calls = Object.fromEntries([me, '/api/about', '/api/users/tokens'].map((path) => [path, start(path)]))
  window.musterHeadStart = calls
  if (!/^\/(servers)?$/.test(location.pathname)) return
  // The code of the list, for the browser's cache.
  const code = document.querySelector('meta[name=server-list]')
  if (code) void start(code.content)
  const startIssues = async () => {
    const reply = await calls[me]
    const { data } = await reply.clone().json()
    if (data.banned || data.delete_at !== null) return
    const path = `/api/users/${data.id}/protection-issues`
    // Once the panel has taken `me`, it requests the issues itself.
    if (me in calls) calls[path] = start(path)
  }
  startIssues().catch(() => {})
})()
