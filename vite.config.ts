/** Builds the panel, and of the public pages what browsers and the backend need: their script and styles, and the code that renders them. */
import { fileURLToPath } from 'node:url'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { API, PANEL } from './web/build/messages.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Few files, because each costs a request: what all pages of the panel need, and what its parts share. */
const codeSplitting = {
  groups: [
    { name: 'panel', tags: ['$initial' as const], priority: 2 },
    { name: 'member', test: /member-pages\.ts$/, priority: 1 },
    // Not with the texts: the panel waits for them, so they must not wait for it.
    { name: 'shared', test: /^(?!.*[\\/]\.cache[\\/])/, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
  ],
}

export default defineConfig(({ command }) => ({
  root: pathOf('web/'),
  plugins: [react(), tailwindcss(), command === 'serve' && [PANEL, API].map(({ options }) => paraglideVitePlugin(options))],
  build: {
    outDir: pathOf('dist/web/'),
    target: 'es2023',
    // The content security policy allows files of our own, not data: scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  builder: {},
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        manifest: true,
        rolldownOptions: { input: pathOf('web/index.html'), output: { codeSplitting } },
      },
    },
    publicSite: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        manifest: '.vite/public-site.json',
        rolldownOptions: { input: pathOf('web/public-site/enhance.ts') },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      build: {
        outDir: pathOf('dist/render/'),
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: pathOf('web/public-site/render.tsx') },
      },
    },
  },
}))
