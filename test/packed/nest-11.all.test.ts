import { beforeAll, describe, expect, it } from 'vitest'
import { installProject, NPM_TIMEOUT, program, run } from './pack.ts'

// What `nest new` of Nest 11 makes: Jest with ts-jest, CommonJS; and a use of svc that its configuration knows nothing of.
let home: string
beforeAll(async () => {
  home = await installProject('nest-11', { openai: '7.57.0' })
}, NPM_TIMEOUT)

const summary = (printed: string) => /^Tests: .*$/m.exec(printed)?.[0] ?? printed

describe('a Nest 11 project created by nest new', () => {
  it('passes its tests in Jest without configuration or output', async () => {
    const printed = await program(home, 'jest')
    expect(summary(printed)).toBe('Tests:       3 passed, 3 total')
    expect(printed).not.toMatch(/console\.\w+|svc:/)
  })

  it('passes its tests with --experimental-vm-modules as well', async () => {
    const printed = await program(home, 'jest', [], { NODE_OPTIONS: '--experimental-vm-modules' })
    expect(summary(printed)).toBe('Tests:       3 passed, 3 total')
    expect(printed).not.toMatch(/console\.\w+|svc:/)
  })

  it('sees a model call in Jest, as docs/nestjs.md says', async () => {
    const only = [
      '--rootDir',
      '.',
      '--testRegex',
      'model\\.spec\\.cjs$',
      '--transform',
      '{}',
      '--moduleFileExtensions',
      'js',
      'cjs',
    ]
    const printed = await program(home, 'jest', only, { NODE_OPTIONS: '--experimental-vm-modules' })
    expect(summary(printed)).toBe('Tests:       1 passed, 1 total')
  })

  it('compiles, and starts in CommonJS', async () => {
    expect(await program(home, 'tsc')).toBe('')
    expect(await program(home, 'tsc', ['-p', 'tsconfig.classic.json'])).toBe('')
    const { stdout } = await run(process.execPath, ['classic/classic.js'], { cwd: home })
    expect(stdout).toBe('true\n')
  })

  it('has one copy of the packages in Node, whether they are imported or required', async () => {
    const code = `import('@svc/nestjs').then((it) => console.log(it.SvcModule === require('@svc/nestjs').SvcModule))`
    const { stdout } = await run(process.execPath, ['-e', code], { cwd: home })
    expect(stdout).toBe('true\n')
  })
})
