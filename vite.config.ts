/** Builds the web app: two pages (the panel and the small login page), split by route. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { AFTER_FIRST_PAGE, chunkNameFor, LANGUAGE_CHOICE, SHARED_ICONS, SHARED_PARTS, SHARED_RULES } from './web/build/chunks.ts'
import { devMessages } from './web/build/dev-messages.ts'
import { reducedFonts } from './web/build/fonts.ts'
import { fetchBeforeImport, fontPreload, inlineScripts, loginRoute } from './web/build/plugins.ts'
import { ADMIN_NAVIGATION, SERVER_LIST, serverListAddress } from './web/build/server-list.ts'

const root = new URL('web/', import.meta.url).pathname

export default defineConfig(({ command }) => ({
  root,
  publicDir: false,
  // In the browser, the document's language counts.
  define: { 'import.meta.env.PAGE_LANGUAGE': 'undefined' },
  // React has this hook, so the router's store needs no shim.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  plugins: [
    inlineScripts(root),
    loginRoute(),
    fetchBeforeImport(root),
    command === 'serve' && devMessages(),
    react(),
    tailwindcss(),
    reducedFonts(),
    fontPreload(),
    serverListAddress(),
  ],
  build: {
    outDir: new URL('dist/web/', import.meta.url).pathname,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows files of our own, not data: scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { panel: `${root}index.html`, login: `${root}login.html` },
      output: {
        // The first page names about 100 files, and hashes don't compress: one character fewer saves 60 bytes.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: chunkNameFor(`${root}panel.tsx`, [`${root}login.tsx`, `${root}pages/login-list.tsx`]) },
            SERVER_LIST,
            ADMIN_NAVIGATION,
            LANGUAGE_CHOICE,
            AFTER_FIRST_PAGE,
            SHARED_ICONS,
            SHARED_PARTS,
            SHARED_RULES,
          ],
        },
      },
    },
  },
}))
