/** The local provider's authorize page: pick a user or type a name. Plain HTML in the panel's style. */
import { escapeHtml as escape } from '#backend/platform/http/escape-html.ts'

const PERSONAS = [
  { username: 'admin', about: 'an administrator' },
  { username: 'alice', about: 'an owner' },
  { username: 'bob', about: 'another owner' },
  { username: 'carol', about: 'a third owner' },
  { username: 'demo_fleet', about: 'owner of the simulated servers' },
]

/** The same as in web/ui/brand.tsx. */
const LOGO =
  '<svg width="44" height="44" viewBox="0 0 32 32" aria-hidden="true"><rect class="mark" width="32" height="32" rx="8"/><g class="bars"><rect x="7" y="8" width="12" height="4" rx="2"/><rect x="7" y="14" width="9" height="4" rx="2" opacity=".6"/><rect x="7" y="20" width="12" height="4" rx="2" opacity=".35"/></g><circle class="dot" cx="23.5" cy="10" r="2.5"/></svg>'

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
<title>Local sign-in · Muster</title><link rel="stylesheet" href="/local-discord/page.css"></head><body><main>${LOGO}
<h1>Local sign-in</h1><p>No Discord application is configured, so you can sign in as any user.</p>
<form method="get" action="/local-discord/oauth2/authorize">${hidden}<div class="people">${people}</div></form>
<form method="get" action="/local-discord/oauth2/authorize">${hidden}${problem}
<label for="username">Another user</label><div class="other"><input id="username" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" required value="${escape(rejectedName ?? '')}">
<button type="submit">Continue</button></div></form></main></body></html>`
}

/** The panel's colours (web/ui/tokens.css) and sizes. The theme is the system's, because the page has no script. */
const CSS = `:root{color-scheme:dark light;--surface-0:#0b0c0f;--surface-2:#1a1d23;--field:#0b0c0f;--line:#262a32;--line-strong:#6d7480;--text-1:#f1f3f6;--text-2:#b3b9c4;--text-3:#959ca9;--accent:#6ea4ff;--accent-hover:#8bb6ff;--accent-text:#06122b;--ok:#45cf8f;--danger:#ff7d7a}
@media(prefers-color-scheme:light){:root{--surface-0:#f6f7f9;--surface-2:#f0f2f5;--field:#fff;--line:#dfe3e9;--line-strong:#868d99;--text-1:#14171c;--text-2:#454c58;--text-3:#5b6370;--accent:#1f5fd6;--accent-hover:#174fb8;--accent-text:#fff;--ok:#0f6e44;--danger:#b42323}}
*{box-sizing:border-box}body{margin:0;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);place-items:center;padding:40px 24px;background:var(--surface-0);color:var(--text-1);font:14px/22px Inter,system-ui,sans-serif}
main{width:100%;max-width:340px}svg{display:block}.mark{fill:var(--surface-2)}.bars{fill:var(--text-1)}.dot{fill:var(--ok)}
h1{font-size:28px;line-height:36px;font-weight:600;letter-spacing:-.02em;margin:24px 0 8px}p{margin:0 0 24px;font-size:16px;line-height:24px;color:var(--text-2)}
.people{display:grid;gap:8px;margin-bottom:24px}
button{font:inherit;color:inherit;min-height:44px;border-radius:6px;padding:8px 14px;cursor:pointer;background:var(--surface-2);border:1px solid var(--line)}
button:hover{border-color:var(--line-strong)}.people button{display:block;text-align:start}.people b{font-weight:500}.people span{display:block;font-size:13px;line-height:20px;color:var(--text-3)}
button:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
label{display:block;margin-bottom:6px;font-size:13px;font-weight:500}.other{display:flex;gap:8px}.other button{background:var(--accent);border-color:transparent;color:var(--accent-text);font-weight:500}.other button:hover{background:var(--accent-hover)}
input{font:inherit;color:inherit;min-height:44px;background:var(--field);border:1px solid var(--line-strong);border-radius:6px;padding:8px 12px;flex:1;min-width:0}
p.problem{font-size:13px;line-height:20px;color:var(--danger);margin:0 0 8px}`

/** @param font address of the panel's font, which exists once the panel is built */
export function pageCss(font: string | undefined): string {
  if (font === undefined) return CSS
  return `@font-face{font-family:Inter;font-weight:400 600;font-display:swap;src:url(${font}) format('woff2')}\n${CSS}`
}
