import { describe, expect, it } from 'vitest'
import { installedBy, migrateManifest } from './manifest.ts'

const migrated = (text: string, ...needed: string[]) => migrateManifest(text, new Set(needed))

describe('a migrated package.json', () => {
  it('keeps its formatting, and the kind of each version range', () => {
    const before =
      '{\r\n\t"dependencies" : { "@svc/client":"~5.1.0",\r\n\t\t"@svc/otel": "5.2.3", "@svc/tracing": "5.x" }\r\n}'
    const after =
      '{\r\n\t"dependencies" : { "@svc/client":"~6.0.0",\r\n\t\t"@svc/otel": "6.0.0", "@svc/tracing": "^6.0.0" }\r\n}'
    expect(migrated(before).text).toBe(after)
    expect(migrated(after).text).toBe(after)
  })

  it.each([
    ['{"dependencies":{"@svc/openai":"^5.0.0"}}', '{"dependencies":{"@svc/instrumentation":"^6.0.0"}}'],
    [
      '{"dependencies":{"@svc/openai":"^5.0.0","@svc/vercel-ai-sdk":"^5.0.0"}}',
      '{"dependencies":{"@svc/instrumentation":"^6.0.0"}}',
    ],
    [
      '{"dependencies":{"a":"1","@svc/core":"^5.0.0","@svc/client":"^5.0.0"}}',
      '{"dependencies":{"a":"1","@svc/client":"^6.0.0"}}',
    ],
    ['{"dependencies":{"@svc/core":"^5.0.0"}}', '{"dependencies":{"@svc/client":"^6.0.0"}}'],
    ['{"peerDependencies":{"@svc/otel":"^4.0.0 || ^5.0.0"}}', '{"peerDependencies":{"@svc/otel":"^6.0.0"}}'],
    ['{"dependencies":{"@langchain/core":"^0.3.8"}}', '{"dependencies":{"@langchain/core":"^0.3.8"}}'],
  ])('%s', (before, after) => {
    expect(migrated(before, '@svc/client').text).toBe(after)
  })

  it.each([
    [
      '{"dependencies":{"@svc/client":"catalog:"}}',
      '@svc/client gets its version from the catalog: set it to ^6.0.0 there.',
    ],
    [
      '{"dependencies":{"@svc/client":"github:a/b"}}',
      '@svc/client gets its version from elsewhere: make sure that it is 6.',
    ],
    [
      '{"dependencies":{"@svc/client":"^6.0.0"},"overrides":{"@svc/core":"5.0.0"}}',
      'overrides names our packages: set them to version 6 by hand.',
    ],
  ])('is left to a manual change: %s', (text, message) => {
    expect(migrated(text)).toMatchObject({ text, remarks: [{ severity: 'error', message }] })
  })

  it('shows the installed version', () => {
    expect(installedBy('{"dependencies":{"@svc/client":"^5.1.0"},"devDependencies":{"@svc/otel":"6"}}').major).toBe(5)
    expect(installedBy('{"dependencies":{"@svc/client":"workspace:*"}}').major).toBeUndefined()
    expect(installedBy('{ no json').names.size).toBe(0)
  })
})
