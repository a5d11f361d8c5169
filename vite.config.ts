/** Builds the panel, and of the public pages what browsers and the backend need: their script and styles, and the code that renders them. */
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { API, PANEL } from './web/build/messages.ts'

const pathOf = (path: string) => new URL(path, import.meta.url).pathname

export default defineConfig(({ command }) => ({
  root: pathOf('web/'),
  plugins: [react(), tailwindcss(), command === 'serve' && [PANEL, API].map(({ options }) => paraglideVitePlugin(options))],
  build: {
    target: 'es2023',
    // The content security policy allows files of our own, not data: scripts and fonts.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: pathOf('dist/web/'),
        manifest: true,
        rolldownOptions: { input: { panel: pathOf('web/index.html'), 'public-site': pathOf('web/public-site/enhance.ts') } },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      build: { outDir: pathOf('dist/render/'), copyPublicDir: false, rolldownOptions: { input: pathOf('web/public-site/render.tsx') } },
    },
  },
}))
