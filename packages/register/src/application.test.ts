import { describe, expect, it } from 'vitest'
import { toolOf } from './application.ts'

const started = (...argv: string[]) => toolOf({ argv: ['/usr/bin/node', ...argv], execArgv: [], nextPhase: undefined })

describe('toolOf', () => {
  it.each([
    [['/app/node_modules/npm/bin/npm-cli.js', 'start'], 'npm'],
    [['/usr/local/bin/npx'], 'npx'],
    [['/home/me/.cache/corepack/pnpm/10.1.0/bin/pnpm.cjs'], 'pnpm.cjs'],
    [['/app/.yarn/releases/yarn-4.9.1.cjs', 'build'], 'yarn-4.9.1.cjs'],
    [['/app/node_modules/typescript/bin/tsc'], 'typescript'],
    [['/app/node_modules/.pnpm/vitest@5.1.0/node_modules/vitest/dist/workers/forks.js'], 'vitest'],
    [['/app/node_modules/jest-worker/build/workers/processChild.js'], 'jest-worker'],
    [['/app/node_modules/next/dist/bin/next', 'build'], 'next build'],
    [['/app/node_modules/next/dist/compiled/jest-worker/processChild.js'], 'next worker'],
    [['C:\\app\\node_modules\\npm\\bin\\npm-cli.js'], 'npm'],
  ])('recognizes %j as a tool', (argv, tool) => {
    expect(started(...argv)).toBe(tool)
  })

  it.each([
    [['/app/server.js']],
    [['/app/node_modules/next/dist/bin/next', 'start']],
    [['/app/node_modules/next/dist/bin/next', 'dev']],
    [['/app/node_modules/tsx/dist/cli.mjs', 'server.ts']],
    [['/app/node_modules/@acme/worker/bin.js']],
    [['/app/npm-mirror.js']],
    [[]],
  ])('recognizes %j as the application', (argv) => {
    expect(started(...argv)).toBeUndefined()
  })

  it('recognizes Next build workers by their phase, and node --test and its workers by their flags', () => {
    expect(toolOf({ argv: ['node', '/app/x.js'], execArgv: [], nextPhase: 'phase-production-build' })).toBe(
      'next build',
    )
    for (const flag of ['--test', '--test-isolation=process']) {
      expect(toolOf({ argv: ['node', '/app/x.test.js'], execArgv: [flag], nextPhase: undefined })).toBe('node --test')
    }
  })
})
