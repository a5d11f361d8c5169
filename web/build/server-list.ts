import type { Plugin } from 'vite'

/** One chunk for the server list and everything that it imports. Most visits start there, and each chunk costs a round trip. */
export const SERVER_LIST = { name: 'server-list', test: /features[\\/]servers[\\/]list[\\/]server-list\.tsx$/ }

/** The same for the administrators' part of the rail, which loads with the frame. */
export const ADMIN_NAVIGATION = { name: 'admin-navigation', test: /shell[\\/]admin-navigation\.tsx$/ }

/** Gives `shell/head-start.js` the address of the list's chunk. Not a preload: other pages do not need it. */
export function serverListAddress(): Plugin {
  return {
    name: 'muster:server-list-address',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, filename }) {
        if (filename.endsWith('login.html')) return []
        const chunk = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === SERVER_LIST.name)
        if (chunk === undefined) throw new Error('the server list has no chunk')
        return [{ tag: 'meta', attrs: { name: 'server-list', content: `/${chunk.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}
