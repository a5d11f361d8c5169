// Starts the first page's calls while its code loads. call.ts takes the responses.
;(() => {
  const start = (path) => {
    const reply = fetch(path, { headers: { 'accept-language': document.documentElement.lang } })
    reply.catch(() => {})
    return reply
  }
  const isList = /^\/(servers)?$/.test(location.pathname)
  // The code of the list, for the browser's cache.
  const code = isList && document.querySelector('meta[name=server-list]')
  if (code) void start(code.content)
  // A page that the server has rendered comes with its replies.
  const replies = document.getElementById('replies')
  if (replies) {
    const entries = Object.entries(JSON.parse(replies.textContent))
    window.musterHeadStart = Object.fromEntries(entries.map(([path, reply]) => [path, Promise.resolve(Response.json(reply))]))
    return
  }
  const me = '/api/auth/me'
  const calls = Object.fromEntries([me, '/api/about', '/api/users/tokens'].map((path) => [path, start(path)]))
  window.musterHeadStart = calls
  if (!isList) return
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
