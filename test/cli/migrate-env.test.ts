import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runNode } from '../support/run.ts'
import { runSvc } from './support/svc.ts'

const CLI = new URL('../../packages/cli/dist', import.meta.url)

const APP: Readonly<Record<string, string>> = {
  '.gitignore': '.env\n',
  '.env': [
    '# LANGSMITH_TRACING=true',
    'LANGSMITH_API_KEY=lsv2-very-secret',
    'export SVC_HOST="https://svc.example.com"\r',
    'SVC_PUBLIC_KEY=pk-1',
    'SVC_PUBLIC=pk-2',
    'PHOENIX_PROJECT_NAME="two\nlines"',
    'OTHER=LANGSMITH_looks_alike',
    'SVC_SAMPLE_RATE=0.5',
    'OTEL_EXPORTER_OTLP_ENDPOINT=https://user:very-secret@otlp.arize.com/v1',
    '',
  ].join('\n'),
  'docker-compose.yml':
    'services:\n  app:\n    environment:\n      - BRAINTRUST_API_KEY=very-secret\n      - SVC_ENV=test\n',
  'api/Dockerfile':
    'FROM node:24\nENV TRACELOOP_BASE_URL=https://api.traceloop.com \\\n    OPIK_WORKSPACE=team\nRUN HELICONE_API_KEY=very-secret node build.js\n',
  '.github/workflows/ci.yml': `env:\n  ARIZE_SPACE_ID: \${{ secrets.ARIZE_SPACE_ID }}\n  SOURCE_API_KEY: \${{ secrets.SOURCE_API_KEY }}\njobs: {}\n`,
  'src/app.js': "process.env.LANGSMITH_API_KEY = 'very-secret'\n",
  'node_modules/x/.env': 'LANGSMITH_API_KEY=very-secret\n',
}

function makeApp(contents: Readonly<Record<string, string>> = APP): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-migrate-env-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const migrate = (cwd: string, ...flags: string[]) => runSvc(['migrate', 'env', ...flags], { cwd })
const contentsOf = (folder: string) =>
  Object.fromEntries(Object.keys(APP).map((path) => [path, readFileSync(join(folder, path), 'utf8')]))

describe('svc migrate env', () => {
  describe('and svc migrate code, in a folder that cannot be read,', () => {
    // The superuser may read everything, so the file system is told whom it refuses.
    const refusing = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      import { resolve } from 'node:path'
      import { main } from "${CLI}/main.js"
      const [, , unread] = process.argv
      const { readdirSync } = fs
      fs.readdirSync = (path, options) => {
        const error = new Error("EACCES: permission denied, scandir '" + path + "'")
        if (resolve(path) === unread) throw Object.assign(error, { code: 'EACCES', syscall: 'scandir', path })
        return readdirSync(path, options)
      }
      syncBuiltinESMExports()
      for (const name of ['env', 'code']) {
        await main(['node', 'svc', 'migrate', name, '--check'])
        console.log(name + ' ends with ' + process.exitCode)
      }`
    const migrateBoth = (folder: string, unread: string) =>
      runNode(['--input-type=module', '--eval', refusing, 'svc', join(folder, unread)], { cwd: folder })

    it('list it and read the others', async () => {
      const folder = makeApp({ '.env': 'SVC_HOST=x\n', 'src/a.js': "import '@svc/tracing'\n", 'data/x': '' })
      const { stdout, stderr } = await migrateBoth(folder, 'data')
      expect(stderr).toBe('')
      expect(stdout.match(/^ *data\s+cannot be read \(EACCES\)$/gm)).toHaveLength(2)
      expect(stdout).toMatch(/^\.env:1 {2}svc does not read SVC_HOST/m)
      expect(stdout).toMatch(/1 files? read|src\/a\.js/)
    })

    it('say so in one line if it is the folder of the app', async () => {
      const { stdout, stderr } = await migrateBoth(makeApp({ 'src/a.js': '' }), '')
      expect(stdout).toBe('env ends with 1\ncode ends with 1\n')
      expect(stderr).toMatch(/^(?:svc: EACCES: [^\n]*\n){2}$/)
    })
  })

  it('lists each leftover with its replacement, writes nothing, and prints no value', async () => {
    const folder = makeApp()
    const { code, stdout, stderr } = await migrate(folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      '.env:2  LANGSMITH_API_KEY is of LangSmith. SVC_SECRET_KEY replaces it, with SVC_PUBLIC_KEY.',
      '.env:3  svc does not read SVC_HOST: it is SVC_BASE_URL.',
      '.env:5  svc does not read SVC_PUBLIC, and SVC_PUBLIC_KEY is set: remove it.',
      '.env:6  PHOENIX_PROJECT_NAME is of Arize Phoenix. The keys of svc determine the project.',
      '.env:9  svc does not read SVC_SAMPLE_RATE: it is OTEL_TRACES_SAMPLER.',
      '.env:10  OTEL_EXPORTER_OTLP_ENDPOINT sends to Arize Phoenix. SVC_BASE_URL replaces it; if both are set, it is a second destination.',
      '.github/workflows/ci.yml:2  ARIZE_SPACE_ID is of Arize Phoenix. The keys of svc determine the project.',
      '.github/workflows/ci.yml:3  SOURCE_API_KEY is for svc migrate datasets: remove it from the app when the datasets are imported.',
      'api/Dockerfile:2  TRACELOOP_BASE_URL is of Traceloop. SVC_BASE_URL replaces it.',
      'api/Dockerfile:3  OPIK_WORKSPACE is of Opik. The keys of svc determine the project.',
      'api/Dockerfile:4  HELICONE_API_KEY is of Helicone. SVC_SECRET_KEY replaces it, with SVC_PUBLIC_KEY.',
      'docker-compose.yml:4  BRAINTRUST_API_KEY is of Braintrust. SVC_SECRET_KEY replaces it, with SVC_PUBLIC_KEY.',
      'docker-compose.yml:5  svc does not read SVC_ENV: it is SVC_TRACING_ENVIRONMENT.',
      '13 found in 4 files: --write changes 2 files.',
      '',
    ])
    expect(stdout).not.toMatch(/secret\b|pk-|looks_alike/)
    expect(contentsOf(folder)).toEqual(APP)
  })

  it('--write renames, comments out variables of other vendors in .env, and changes nothing the second time', async () => {
    const folder = makeApp()
    const { code, stdout } = await migrate(folder, '--write')
    expect(code).toBe(0)
    expect(stdout).toContain('.env:3  svc does not read SVC_HOST: it is SVC_BASE_URL. (renamed)\n')
    expect(stdout).toContain('with SVC_PUBLIC_KEY. (commented out)\n')
    expect(stdout).toContain('13 found in 4 files: 2 files changed.')
    expect(contentsOf(folder)).toEqual({
      ...APP,
      '.env': APP['.env']
        ?.replace('LANGSMITH_API_KEY=lsv2', '# LANGSMITH_API_KEY=lsv2')
        .replace('export SVC_HOST', 'export SVC_BASE_URL'),
      'docker-compose.yml': APP['docker-compose.yml']?.replace('SVC_ENV=', 'SVC_TRACING_ENVIRONMENT='),
    })
    expect((await migrate(folder, '--write')).stdout).toContain('10 found in 4 files.')
  })

  it('reports that nothing is left over', async () => {
    const folder = makeApp({ '.env': 'SVC_PUBLIC_KEY=pk-1\nOTEL_SERVICE_NAME=app\n' })
    expect((await migrate(folder)).stdout).toBe('Nothing found in 1 file.\n')
  })

  it('--check writes nothing, and exits with 1 while something is left over', async () => {
    const folder = makeApp()
    const { code, stdout, stderr } = await migrate(folder, '--check', '--write')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('13 found in 4 files: --write changes 2 files.')
    expect(contentsOf(folder)).toEqual(APP)
    expect((await migrate(makeApp({ '.env': 'SVC_PUBLIC_KEY=pk-1\n' }), '--check')).code).toBe(0)
  })

  it('refuses a path that is not a folder in one line', async () => {
    const { code, stderr } = await migrate(makeApp(), 'absent')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'svc migrate env: absent is not a folder: expected the folder of an app.\n',
    })
  })

  it('changes no file if one of them cannot be written', async () => {
    const folder = makeApp({ ...APP, '.docker-compose.yml.svc-migrate': '' })
    const { code, stderr } = await migrate(folder, '--write')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^svc migrate env: EEXIST.*: nothing was changed\.\n$/),
    })
    expect(contentsOf(folder)).toEqual(APP)
  })
})
