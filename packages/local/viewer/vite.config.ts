import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
/**
 * What `pnpm --filter @svc/local dev` shows: the service that listens where it does by default, started with --no-token.
 * It takes writes from its own page only.
 */
const target = 'http://127.0.0.1:3939'
const SERVICE = { target, headers: { origin: target } }

export default defineConfig({
  root: here,
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be data URIs in the style; the policy of the page has no place for them.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    // What the page is made of beside our own, each with its licence: published with it.
    license: { fileName: 'licenses.md' },
  },
  server: { proxy: { '/api': SERVICE, '/viewer': SERVICE } },
})
