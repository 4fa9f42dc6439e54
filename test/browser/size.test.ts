import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'

const README = fileURLToPath(new URL('../../packages/browser/README.md', import.meta.url))

it('@svc/browser is as small as its README says, and imports neither Node nor OpenTelemetry modules', async () => {
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
  const sizes = [output[0].code, gzipSync(output[0].code)].map((code) => Buffer.byteLength(code))
  expect(sizes[0]).toBeLessThan(4_608)
  const [, ...named] = /([\d.]+) kB minified, ([\d.]+) kB compressed/.exec(readFileSync(README, 'utf8')) ?? []
  expect(sizes.map((size) => (size / 1_000).toFixed(1))).toEqual(named)
})
