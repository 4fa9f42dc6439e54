import { describe, expect, it } from 'vitest'
import { packages, sources } from './repository.ts'

// The picture in docs/architecture.md, as data: what each package may import. Everything points down.
const BELOW: Record<string, readonly string[]> = {
  core: [],
  otel: ['core'],
  tracing: ['core'],
  instrumentation: ['core', 'tracing'],
  register: ['core', 'otel', 'instrumentation'],
  nestjs: ['core', 'tracing', 'register', 'client'],
  next: ['core', 'tracing', 'otel', 'register', 'browser'],
  client: ['core', 'tracing'],
  browser: ['core'],
  langchain: ['core', 'tracing', 'instrumentation'],
  local: ['core'],
}

describe('layers', () => {
  it('every package has its place in the picture', () => {
    expect(packages.filter((name) => !(name in BELOW))).toEqual([])
  })

  it.each(packages)('%s imports only what lies below it', (name) => {
    const allowed = new Set(BELOW[name])
    const upward = sources
      .filter(({ home }) => home === name)
      .flatMap(({ path, imports }) => imports.map((specifier) => ({ path, specifier })))
      .filter(({ specifier }) => {
        const [, other] = /^@svc\/([^/]+)/.exec(specifier) ?? []
        return other !== undefined && !allowed.has(other)
      })
    expect(upward).toEqual([])
  })

  it('no package reaches into the folder of another', () => {
    const crossing = sources.flatMap(({ path, home, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))
        .filter((target) => !target.startsWith(`packages/${home}/src/`) && target !== `packages/${home}/package.json`)
        .map((target) => `${path} imports ${target}`),
    )
    expect(crossing).toEqual([])
  })
})
