import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

it('@svc/browser is small, and imports neither Node nor OpenTelemetry modules', async () => {
  const seen = new Set<string>()
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [{ name: 'watch', enforce: 'pre', resolveId: (source) => void seen.add(source) }],
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('./page.mjs', import.meta.url)), formats: ['iife'], name: 'svc' },
    },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  expect([...seen].filter((source) => isBuiltin(source) || source.startsWith('@opentelemetry/'))).toEqual([])
  expect(Buffer.byteLength(output[0].code)).toBeLessThan(4_608)
})
