/** The local provider's authorize page: pick a user or type a name. Plain HTML, independent of the panel's build. */
const PERSONAS = [
  { username: 'admin', about: 'an administrator' },
  { username: 'alice', about: 'an owner' },
  { username: 'bob', about: 'another owner' },
  { username: 'carol', about: 'a third owner' },
  { username: 'demo_fleet', about: 'owner of the simulated servers' },
]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

/** @param query the panel's parameters, kept in hidden fields. @param rejectedName a name that is not a valid Discord name. */
export function authorizePage(query: Readonly<Record<string, string>>, rejectedName: string | undefined): string {
  const hidden = Object.entries(query)
    .filter(([name]) => name !== 'username')
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('')
  const people = PERSONAS.map(
    ({ username, about }) => `<button type="submit" name="username" value="${username}"><b>${username}</b><span>${about}</span></button>`,
  ).join('')
  const problem =
    rejectedName === undefined || rejectedName === ''
      ? ''
      : '<p class="problem" role="alert">Use 2 to 32 characters: a to z, 0 to 9, dots and underscores.</p>'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Local sign-in · Muster</title><link rel="stylesheet" href="/local-discord/page.css"></head><body><main>
<h1>Local sign-in</h1><p>No Discord application is configured, so you can sign in as any user.</p>
<form method="get" action="/local-discord/oauth2/authorize">${hidden}<div class="people">${people}</div></form>
<form method="get" action="/local-discord/oauth2/authorize">${hidden}${problem}
<label for="username">Another user</label><div class="other"><input id="username" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" required value="${escape(rejectedName ?? '')}">
<button type="submit">Continue</button></div></form></main></body></html>`
}

export const PAGE_CSS = `:root{color-scheme:dark light;font:16px/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#0f1115;color:#e8eaed}
main{width:min(420px,100vw - 48px)}h1{font-size:20px;margin:0 0 4px}p{margin:0 0 20px;color:#a8b0bb}
.people{display:grid;gap:8px;margin-bottom:24px}
button{font:inherit;color:inherit;background:#1b1f27;border:1px solid #333a46;border-radius:6px;padding:10px 14px;min-height:44px;cursor:pointer;display:flex;justify-content:space-between;gap:12px}
button span{color:#a8b0bb;text-align:end}button:hover{border-color:#7c8aa0}button:focus-visible,input:focus-visible{outline:2px solid #6ea8fe;outline-offset:2px}
label{display:block;margin-bottom:4px}.other{display:flex;gap:8px}
input{font:inherit;color:inherit;background:#0f1115;border:1px solid #5b6472;border-radius:6px;padding:10px 12px;flex:1;min-width:0}
.problem{color:#ff9c92;margin:0 0 8px}
@media(prefers-color-scheme:light){body{background:#f6f7f9;color:#1a1d21}p,button span{color:#525a66}button{background:#fff;border-color:#c9cfd8}input{background:#fff;border-color:#7b8493}.problem{color:#b3261e}}`
