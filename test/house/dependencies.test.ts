import { VERSION } from '@svc/core/version'
import { describe, expect, it } from 'vitest'
import { packages, read, readJson } from './repository.ts'

describe('the OpenTelemetry packages', () => {
  const copies = installedCopies(read('pnpm-lock.yaml'))

  it('are found in the lock file', () => {
    const wanted = ['api', 'core', 'sdk-trace', 'instrumentation', 'resources', 'otlp-transformer']
    expect(Object.keys(copies)).toEqual(expect.arrayContaining(wanted.map((name) => `@opentelemetry/${name}`)))
  })

  it('have one copy each in the tree', () => {
    expect(Object.entries(copies).filter(([, found]) => found.length !== 1)).toEqual([])
  })

  it('are required in exactly that version', () => {
    const other = packages.flatMap((name) => {
      const { dependencies } = readJson(`packages/${name}/package.json`)
      return Object.entries((dependencies ?? {}) as Record<string, string>)
        .filter(([dependency]) => dependency in copies && dependency !== '@opentelemetry/api')
        .filter(([dependency, range]) => !copies[dependency]?.[0]?.startsWith(`${range}(`))
        .map(([dependency, range]) => `${name} asks for ${dependency} ${range}`)
    })
    expect(other).toEqual([])
  })
})

describe('the @svc packages have one version:', () => {
  it.each(packages)('%s has the version of core', (name) => {
    const { version } = readJson(`packages/${name}/package.json`)
    expect(version).toBe(VERSION)
  })

  it.each(packages)('the first entry in the changelog of %s is that version, and npm users get it', (name) => {
    const [, first] = /^## (.+)$/m.exec(read(`packages/${name}/CHANGELOG.md`)) ?? []
    expect(first).toBe(VERSION)
    expect(readJson(`packages/${name}/package.json`).files).toContain('CHANGELOG.md')
  })

  it.each(packages)('%s depends on its siblings in the workspace', (name) => {
    const { dependencies, devDependencies } = readJson(`packages/${name}/package.json`)
    const siblings = Object.entries({ ...(devDependencies ?? {}), ...(dependencies ?? {}) })
    const pinned = siblings.filter(([sibling, range]) => sibling.startsWith('@svc/') && range !== 'workspace:*')
    expect(pinned).toEqual([])
  })
})

it('every package supports Node 22.0, and the one for browsers has no engines field', () => {
  const engines = packages.map((name) => [name, readJson(`packages/${name}/package.json`).engines])
  const other = engines.filter(([, wanted]) => JSON.stringify(wanted) !== '{"node":">=22.0.0"}')
  expect(other).toEqual([['browser', undefined]])
})

/** What pnpm installs, by package: a copy is a version together with the peers it was resolved with. */
function installedCopies(lock: string): Record<string, string[]> {
  const copies: Record<string, string[]> = {}
  const snapshots = lock.slice(lock.indexOf('\nsnapshots:'))
  for (const [, name, copy] of snapshots.matchAll(/^ {2}'(@opentelemetry\/[^@]+)@([^']+)':/gm)) {
    if (name && copy) copies[name] = [...(copies[name] ?? []), copy]
  }
  return copies
}
