import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { APPLICATIONS, type Application } from './applications.ts'
import { freePort } from './free-port.ts'
import { stable } from './stable.ts'

/** How much longer than without us one may take until it is ready: what shows is a wait, not the load of the machine. */
const LONGEST = 5

const programs = fileURLToPath(new URL('programs', import.meta.url))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(APPLICATIONS)('$name', (application) => {
  it(
    'prints, ends and tells others under the preload what it does without it, soon, and its model requests are recorded',
    async () => {
      const home = await install(application)
      const { took: tookBare, ...bare } = await run(application, home)
      const before = generations()
      const preload = `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}`
      const { took, ...ours } = await run(application, home, preload)
      const { said } = application
      if (said) expect(ours.stderr).toMatch(said)
      expect({ ...ours, stderr: said ? ours.stderr.replace(said, '') : ours.stderr }).toEqual(bare)
      expect(took).toBeLessThan(LONGEST * tookBare)
      expect(bare.served).toBe(application.served)
      expect(generations() - before).toBe(application.served - (application.unseen ?? 0))
    },
    // The largest of them have 700 packages.
    3 * NPM_TIMEOUT,
  )
})

async function install({ dependencies, ours = [], files }: Application): Promise<string> {
  const home = await installPacked({ dependencies }, { only: ['@svc/register', ...ours] })
  await cp(programs, home, { recursive: true })
  for (const [name, text] of Object.entries(files?.(service) ?? {})) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), text)
  }
  return home
}

/** Runs an application once: what it prints, how it ends, how many model requests it makes, what it tells others, when it is ready. */
async function run(application: Application, home: string, preload = '') {
  const { args, env, preloads: { before = '', after = '' } = {}, varies, unordered, telemetry } = application
  if (telemetry) await rm(join(home, telemetry.file), { force: true })
  const earlier = service.models.requests().length
  const PORT = await freePort()
  const NODE_OPTIONS = `${before} ${preload} ${after}`.trim()
  const variables = { ...service.env, PORT, ...env?.(service, home), NODE_OPTIONS }
  const named = args.map((each) => each.replace('$PORT', PORT))
  // Of the preload the published form is installed.
  const started = performance.now()
  const program = startNode(named, { cwd: home, env: variables, asBuilt: true })
  await (application.ready ? program.printed(application.ready) : program.ended)
  const took = performance.now() - started
  await application.drive?.(program, PORT)
  const { code, signal, stdout, stderr } = await program.ended
  const inOrder = (text: string) => (unordered ? text.split('\n').sort().join('\n') : text)
  const told = telemetry?.read(await readFile(join(home, telemetry.file), 'utf8')) ?? ''
  const [out, err, own] = [stdout, stderr, told].map((text) => inOrder(stable(text, varies)))
  const served = service.models.requests().length - earlier
  return { code, signal, stdout: out, stderr: err ?? '', told: own, served, took }
}

const generations = () => service.local.observations(({ type }) => type === 'GENERATION').length
