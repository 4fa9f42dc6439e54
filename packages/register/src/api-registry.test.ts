import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { VERSION } from './api-registry.ts'

it("what the bundle registers first has the version of OpenTelemetry's API in it", () => {
  const dist = dirname(createRequire(import.meta.url).resolve('@opentelemetry/api'))
  const { version } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'))
  expect(VERSION).toBe(version)
})
