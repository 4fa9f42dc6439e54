import { VERSION } from '@svc/core/version'
import { describe, expect, it } from 'vitest'
import { appWith, examined, type Fault, faultsOf, installed, manifest } from '../../test/support/fixture.ts'
import { examine } from './checks.ts'

it('an app without a fault has only findings that are in order', async () => {
  expect(await faultsOf({})).toEqual([])
})

/** Each has just the fault in its title, and one finding. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, readonly [finding: string, fault: Fault]>>>> = {
  Node: {
    'an old Node here': ['error node-version', { nodeVersion: 'v20.19.0' }],
    'a Node here that cannot hook ES modules': ['warning node-version', { nodeVersion: 'v22.14.0' }],
    'such a Node in .nvmrc': ['warning node-other-version', { files: { '.nvmrc': 'v22.0.0\n' } }],
    'an old Node in the Dockerfile': [
      'error node-other-version',
      { files: { Dockerfile: 'FROM node:20-slim\nCMD ["npm", "start"]\n' } },
    ],
    'an old Node in .nvmrc': ['error node-other-version', { files: { '.nvmrc': 'v18\n' } }],
    'an old Node in engines': [
      'error node-other-version',
      { files: { 'package.json': manifest({ engines: { node: '20.x' } }) } },
    ],
    'no permission for workers': [
      'warning node-flags',
      { files: script('node --permission --import @svc/register app.js') },
    ],
  },
  Variables: {
    'no keys': ['error keys-missing', { env: { SVC_PUBLIC_KEY: '', SVC_SECRET_KEY: '' } }],
    'no secret key': ['error keys-missing', { env: { SVC_SECRET_KEY: undefined } }],
    'swapped keys': [
      'error keys-swapped',
      { env: { SVC_PUBLIC_KEY: 'sk-svc-12345678', SVC_SECRET_KEY: 'pk-svc-1234' } },
    ],
    'quotes in a key': ['error value-quoted', { env: { SVC_SECRET_KEY: '"sk-svc-12345678"' } }],
    'a URL that is none': ['error variable-ignored', { env: { SVC_BASE_URL: 'svc.example.com' } }],
    'a value that makes no sense': ['warning variable-ignored', { env: { SVC_TIMEOUT: 'soon' } }],
    'a certificate that is not there': [
      'warning variable-ignored',
      { env: { OTEL_EXPORTER_OTLP_CERTIFICATE: 'nowhere.pem' } },
    ],
    'keys in a file that nothing loads': [
      'error env-file-not-loaded',
      {
        files: { '.env': 'SVC_PUBLIC_KEY=pk-svc-1234\nSVC_SECRET_KEY=sk-svc-12345678\n' },
        env: { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined },
      },
    ],
    'the name SVC_HOST': ['warning variable-name', { env: { SVC_HOST: 'http://svc', SVC_BASE_URL: undefined } }],
    'the name SVC_PUBLICKEY beside the right one': ['info variable-name', { env: { SVC_PUBLICKEY: 'pk-svc-1234' } }],
    'a name with a letter too few': ['warning variable-name', { env: { SVC_RELEAS: '1' } }],
    'a name in small letters': ['warning variable-name', { env: { svc_release: '1' } }],
    'a name that svc does not read': ['info variable-not-read', { env: { OTEL_BLRP_SCHEDULE_DELAY: '1' } }],
    'a variable of LangSmith': ['warning vendor-leftover', { env: { LANGSMITH_TRACING: 'true' } }],
    'a second variable for one setting': [
      'info variable-shadowed',
      { env: { SVC_BASEURL: 'https://other.example.com' } },
    ],
    'tracing that is switched off': ['error switched-off', { env: { SVC_TRACING_ENABLED: 'false' } }],
    'OpenTelemetry that is switched off': ['error switched-off', { env: { OTEL_SDK_DISABLED: 'true' } }],
    'a sampler that takes nothing': ['error switched-off', { env: { OTEL_TRACES_SAMPLER: 'always_off' } }],
    'a sampler that takes a tenth': [
      'warning sampled',
      { env: { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' } },
    ],
    'no content': ['info content-off', { env: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' } }],
    'certificates that are not checked': ['warning tls-unverified', { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }],
    'a config file that is not there': ['error config-file', { configFile: 'svc.config.mjs' }],
    'a config file that is not named on the command line': [
      'info config-file-not-run',
      { env: { SVC_CONFIG_FILE: 'svc.config.mjs' }, files: { 'svc.config.mjs': 'throw 1' } },
    ],
    'a config file with an option that is none': [
      'warning variable-ignored',
      { configFile: 'svc.config.cjs', files: { 'svc.config.cjs': 'module.exports = { masks: 1 }' } },
    ],
  },
  Start: {
    'no preload': ['error preload-missing', { files: script('node app.js') }],
    'no preload in the development script': [
      'warning preload-missing',
      { files: { 'package.json': manifest({ scripts: { ...manifest({}).scripts, dev: 'tsx watch app.ts' } }) } },
    ],
    'no preload in the Dockerfile': [
      'error preload-missing',
      { files: { Dockerfile: 'FROM node:24\nCMD ["node", "app.js"]\n' } },
    ],
    'no preload in the Procfile': ['error preload-missing', { files: { Procfile: 'web: node app.js\n' } }],
    'no preload for PM2': [
      'error preload-missing',
      { files: { 'ecosystem.config.cjs': "module.exports = { apps: [{ name: 'app', script: 'app.js' }] }" } },
    ],
    'another preload before ours': [
      'error preload-not-first',
      { files: script('node --import ./tracing.js --import @svc/register app.js') },
    ],
    'a --require, which Node loads first': [
      'error preload-not-first',
      { files: script('node --import @svc/register --require ./setup.cjs app.js') },
    ],
    'svc that is not installed': [
      'error not-installed',
      { files: { 'node_modules/@svc/register/package.json': undefined } },
    ],
    'an unknown start': ['warning start-unknown', { files: { 'package.json': manifest({ scripts: {} }) } }],
    'no package.json': ['warning no-app', { files: { 'package.json': undefined } }],
    'a runtime that is not Node': [
      'error runtime',
      { files: script('bun --preload @svc/register --import @svc/register app.ts') },
    ],
    'tests in Jest': [
      'info jest',
      { files: { 'package.json': manifest({ scripts: { ...manifest({}).scripts, test: 'jest --ci' } }) } },
    ],
    'a bundle': [
      'warning bundled',
      {
        files: {
          'package.json': manifest({
            scripts: { ...manifest({}).scripts, build: 'esbuild app.ts --bundle --platform=node --outfile=app.js' },
          }),
        },
      },
    ],
    'Nest without the preload': [
      'warning nest-without-preload',
      { files: { ...nest({ start: 'nest start' }), 'src/app.module.ts': "import { SvcModule } from '@svc/nestjs'\n" } },
    ],
    'Nest that is bundled': [
      'warning bundled',
      {
        files: {
          ...nest({ start: 'node --import @svc/register dist/main.js' }),
          'nest-cli.json': { compilerOptions: { webpack: true } },
        },
      },
    ],
    'Next without instrumentation.ts': ['error next-instrumentation', { files: next({}) }],
    'Next whose instrumentation.ts starts something else': [
      'error next-instrumentation',
      { files: next({ 'instrumentation.ts': 'export function register() {}\n' }) },
    ],
    'Next with instrumentation.ts in the wrong folder': [
      'error next-instrumentation-place',
      { files: next({ 'instrumentation.ts': registerSvc(), 'src/app/page.tsx': '' }) },
    ],
    'Next without @svc/next': [
      'error next-not-installed',
      { files: { ...next({ 'instrumentation.ts': registerSvc() }), 'node_modules/@svc/next/package.json': undefined } },
    ],
  },
  Libraries: {
    'no library': ['warning no-library', { files: { 'node_modules/openai/package.json': undefined } }],
    'a version that is too old': ['error library-version', { files: installed('openai', '3.3.0') }],
    'a version that is too new': ['error library-version', { files: installed('openai', '9.0.0') }],
    'a library that SVC_INSTRUMENTATIONS leaves out': [
      'warning library-left-out',
      { env: { SVC_INSTRUMENTATIONS: 'anthropic' } },
    ],
    'a library that is switched off': [
      'warning library-left-out',
      { env: { SVC_DISABLED_INSTRUMENTATIONS: 'OpenAI' } },
    ],
    'a library that is not known': [
      'warning library-not-known',
      {
        files: {
          'package.json': manifest({ dependencies: { replicate: '1.4.0' } }),
          ...installed('replicate', '1.4.0'),
        },
      },
    ],
  },
  Packages: {
    'two versions of @svc packages': [
      'error svc-versions',
      {
        files: {
          'package.json': manifest({ dependencies: { '@svc/tracing': '5.0.0' } }),
          ...installed('@svc/tracing', '5.0.0'),
        },
      },
    ],
    'another version than that of the doctor': ['info doctor-version', { files: installed('@svc/register', '6.9.9') }],
    'a peer that is missing': [
      'error peer-missing',
      { files: installed('@svc/register', VERSION, { peerDependencies: { '@opentelemetry/api': '^1.10.0' } }) },
    ],
    'the exporter of a second destination': [
      'error peer-missing',
      {
        files: installed('@opentelemetry/auto-instrumentations-node', '0.82.0'),
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
      },
    ],
    'a second destination with OpenTelemetry 1': [
      'error peer-old',
      {
        files: {
          ...installed('@opentelemetry/auto-instrumentations-node', '0.56.1'),
          ...installed('@opentelemetry/sdk-node', '0.57.2'),
        },
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
      },
    ],
    'an instrumentation that is asked for and missing': [
      'error peer-missing',
      { env: { SVC_INSTRUMENTATIONS: 'openai,@traceloop/instrumentation-llamaindex' } },
    ],
  },
}

it.each([
  ['that is missing is named with its folder', undefined, expect.stringMatching(/^no package\.json in \//)],
  ['that cannot be parsed is not called missing', '{"name":', 'package.json is not a JSON object'],
])('a package.json %s', async (_, content, seen) => {
  expect(await examined({ files: { 'package.json': content } })).toContainEqual(
    expect.objectContaining({ id: 'no-app', seen }),
  )
})

describe.each(Object.entries(FAULTS))('%s', (_, faults) => {
  it.each(Object.entries(faults))('%s', async (_, [finding, fault]) => {
    expect(await faultsOf(fault)).toEqual([finding])
  })
})

it('a start by the CLI of Nest keeps it', async () => {
  const files = nest({ 'start:dev': 'nest start --watch' })
  expect(await examined({ files })).toContainEqual(
    expect.objectContaining({ remedy: "nest start --watch --exec 'node --import @svc/register'" }),
  )
})

/** What npm installs where a library brings an older copy. */
const COPIES_OF_THE_API = {
  ...installed('openai', '7.55.0', { dependencies: { '@opentelemetry/api': '*' } }),
  ...installed('openai/node_modules/@opentelemetry/api', '1.9.1'),
  ...installed('@opentelemetry/api', '1.10.0'),
}

it('copies of the API are named where there is no preload, which would work with all of them', async () => {
  const dependencies = { openai: '7.55.0', '@opentelemetry/api': '*' }
  const files = {
    ...COPIES_OF_THE_API,
    'package.json': JSON.stringify({ dependencies }),
    'node_modules/@svc/register/package.json': undefined,
  }
  expect(await examined({ files })).toContainEqual(
    expect.objectContaining({ id: 'api-copies', seen: '2 copies of @opentelemetry/api: 1.10.0, 1.9.1' }),
  )
})

/** The same thing said in other ways, in which nothing is wrong. */
const IN_ORDER: Readonly<Record<string, Fault>> = {
  'copies of the API under the preload': {
    files: { ...COPIES_OF_THE_API, 'package.json': manifest({ dependencies: { '@opentelemetry/api': '*' } }) },
  },
  'Sentry that leaves OpenTelemetry to svc': {
    files: {
      'package.json': manifest({ dependencies: { '@sentry/node': '10.0.0' } }),
      'app.js': "import * as Sentry from '@sentry/node'\nSentry.init({ skipOpenTelemetrySetup: true })\n",
    },
  },
  'Sentry 11 that leaves OpenTelemetry to svc': {
    files: {
      'package.json': manifest({ dependencies: { '@sentry/node': '11.0.0' } }),
      'app.js': "import * as Sentry from '@sentry/node'\nSentry.init({ enableOpenTelemetrySetup: false })\n",
    },
  },
  'dd-trace, which has no OpenTelemetry provider of its own accord': {
    files: {
      'package.json': manifest({ dependencies: { 'dd-trace': '6.21.0' } }),
      'app.js': "import tracer from 'dd-trace'\ntracer.init({})\n",
    },
  },
  'a package.json with a byte order mark': { files: { 'package.json': `\uFEFF${JSON.stringify(manifest({}))}` } },
  'the preload in NODE_OPTIONS of the shell': {
    files: script('node app.js'),
    env: { NODE_OPTIONS: '--import @svc/register' },
  },
  'the preload in NODE_OPTIONS of the script': {
    files: script("cross-env NODE_OPTIONS='--import @svc/register' node app.js"),
  },
  'the preload in NODE_OPTIONS of the image': {
    files: { Dockerfile: 'FROM node:24\nENV NODE_OPTIONS="--import @svc/register"\nCMD ["node", "app.js"]\n' },
  },
  'the preload by --require': { files: script('node -r @svc/register app.js') },
  'the preload after a compiler': { files: script('node --import tsx --import @svc/register app.ts') },
  'the preload under --watch': { files: script('node --watch --import @svc/register app.js') },
  'the preload for tsx': { files: script('tsx watch --import @svc/register app.ts') },
  'the preload for PM2': {
    files: {
      'ecosystem.config.cjs': "module.exports = { apps: [{ script: 'app.js', node_args: '--import @svc/register' }] }",
    },
  },
  'an image that starts the script': {
    files: { Dockerfile: 'FROM node:24\nENTRYPOINT ["npm", "run"]\nCMD ["start"]\n' },
  },
  'keys in a file that Node loads': {
    files: {
      ...script('node --env-file=.env --import @svc/register app.js'),
      '.env': 'SVC_PUBLIC_KEY=pk-svc-1234\nSVC_SECRET_KEY=sk-svc-12345678\n',
    },
    env: { SVC_PUBLIC_KEY: undefined, SVC_SECRET_KEY: undefined },
  },
  'a provider of the app that has our processor': {
    files: {
      ...script('node app.js'),
      'app.js': "import { SvcSpanProcessor } from '@svc/otel'\nimport OpenAI from 'openai'\n",
    },
  },
  'Next with keys in .env': {
    files: next({
      'src/instrumentation.ts': registerSvc(),
      'src/app/page.tsx': '',
      '.env': 'SVC_PUBLIC_KEY=pk-svc-1234\n',
    }),
    env: { SVC_PUBLIC_KEY: undefined },
  },
  'a bundle without the packages': {
    files: {
      'package.json': manifest({
        scripts: { ...manifest({}).scripts, build: 'esbuild app.ts --bundle --packages=external --outfile=app.js' },
      }),
    },
  },
}

it.each(Object.entries(IN_ORDER))('%s is in order', async (_, fault) => {
  expect(await faultsOf(fault)).toEqual([])
})

it('without an agreement no request goes to an address from a file of the folder', async () => {
  const app = appWith({ files: { '.env': 'SVC_BASE_URL=http://127.0.0.1:1\n' }, env: { SVC_BASE_URL: undefined } })
  const idsOf = async (isAgreed: boolean) =>
    (await examine(app, { mayConnect: async () => isAgreed })).find(({ title }) => title === 'Service')?.findings
  expect(await idsOf(false)).toMatchObject([{ id: 'keys-elsewhere', severity: 'warning' }])
  expect(await idsOf(true)).toMatchObject([{ id: 'service-connection' }])
})

it('a command to be copied runs nothing that a file of the folder names', async () => {
  const evil = '$(touch x)'
  const found = await examined({
    files: {
      'package.json': manifest({ scripts: { start: `node '${evil}'` }, dependencies: { '@svc/core': '1' } }),
      '.env': 'SVC_PUBLIC_KEY=pk-svc-1234\nSVC_INSTRUMENTATIONS=@traceloop/$(touch x)\n',
      ...installed('@svc/core', `9.9.9;${evil}`, { peerDependencies: { [evil]: '1' } }),
    },
    env: { SVC_PUBLIC_KEY: undefined },
  })
  const commands = found.flatMap(({ remedy }) => (remedy?.includes(evil) ? [remedy] : []))
  expect(commands).toEqual([
    expect.stringMatching(/^Let Node read the file: .* '\$\(touch x\)'$/),
    "node --import @svc/register '$(touch x)'",
    "npm i '@svc/register@9.9.9;$(touch x)' '@svc/core@9.9.9;$(touch x)'",
    "npm i '$(touch x)'",
    "npm i '@traceloop/$(touch x)'",
  ])
})

it('a script that no package.json has, but every object, is none', async () => {
  const files = { 'package.json': manifest({}), Procfile: 'web: npm run constructor\n' }
  expect(await faultsOf({ files })).toEqual([])
})

it('fields of a package.json with another type are not read', async () => {
  const files = { 'package.json': { name: 1, version: {}, scripts: { start: 5 }, dependencies: ['a'], engines: 'x' } }
  expect(await faultsOf({ files })).toContain('warning start-unknown')
  const odd = manifest({ scripts: { ...manifest({}).scripts, odd: 'x'.repeat(20_000), none: null } })
  expect(await faultsOf({ files: { 'package.json': odd } })).not.toContain('warning start-unknown')
})

describe('secrets', () => {
  it('are shown as their last four characters', async () => {
    const found = await examined({
      env: { SVC_SECRETKEY: 'sk-svc-wrong-name', SVC_ADDITIONAL_HEADERS: 'x-token=very-secret-value' },
    })
    const text = JSON.stringify(found)
    expect(text).toContain('SVC_SECRET_KEY=…5678')
    expect(text).toContain('SVC_SECRETKEY=…name')
    expect(text).not.toMatch(/sk-svc|very-secret/)
  })

  it('are not shown at all if they are short', async () => {
    expect(JSON.stringify(await examined({ env: { SVC_SECRET_KEY: 'sk-12345' } }))).toContain('SVC_SECRET_KEY=… (')
  })

  it('are not shown as a part of a URL', async () => {
    const found = await examined({ env: { SVC_BASE_URL: 'https://pk:sk-svc-12345678@svc.example.com' } })
    expect(JSON.stringify(found)).not.toContain('12345678@')
  })
})

it('every finding explains what it means or what to do', async () => {
  const faults = Object.values(FAULTS).flatMap((each) => Object.values(each))
  const found = await Promise.all(faults.map(([, fault]) => examined(fault)))
  const bare = found.flat().filter(({ severity, means, remedy }) => severity !== 'ok' && !means && !remedy)
  expect(bare.map(({ id }) => id)).toEqual([])
})

function script(start: string) {
  return { 'package.json': manifest({ scripts: { start } }) }
}

function nest(scripts: object) {
  return {
    'package.json': manifest({ scripts, dependencies: { '@nestjs/core': '12.0.0', '@svc/nestjs': VERSION } }),
    ...installed('@svc/nestjs', VERSION),
  }
}

function next(files: object) {
  return {
    'package.json': manifest({
      scripts: { start: 'next start' },
      dependencies: { next: '16.0.0', '@svc/next': VERSION },
    }),
    ...installed('@svc/next', VERSION),
    ...files,
  }
}

function registerSvc() {
  return "import { registerSvc } from '@svc/next'\n\nexport const register = () => registerSvc()\n"
}
