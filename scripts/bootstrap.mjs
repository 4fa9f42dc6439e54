// Runs `pnpm run <script>` with the pinned pnpm, and under a pinned Node where this machine's Node is too old.
// Needs nothing but Node 18 or later with npm. What it fetches goes under .toolchain/, which git ignores.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_VERSION = '24.21.0'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const pnpmVersion = manifest.packageManager.replace(/^pnpm@/, '')
const minimum = manifest.engines.node.match(/\d+/g).map(Number)
const shell = process.platform === 'win32'

const toolchain = installToolchain()
run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only', '--loglevel=warn'], toolchain)
run('pnpm', ['run', '--silent', ...process.argv.slice(2)], toolchain)

/** Installs what is missing, checks that it works, and returns the environment to run in. */
function installToolchain() {
  const wanted = { pnpm: pnpmVersion, ...(isNewEnough(process.version) ? {} : { node: NODE_VERSION }) }
  const name = Object.entries(wanted).map((entry) => entry.join('-'))
  const home = join(root, '.toolchain', name.join('_'))
  const path = [join(home, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...inherited(), PATH: path }
  if (existsSync(join(home, 'complete'))) return env

  console.error(`Fetching ${name.join(' and ')} into .toolchain/ (once).`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  // The `node` package puts its binary in place by an install script, which newer npm runs only where it is allowed.
  const allowScripts = { node: true }
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies: wanted, allowScripts }))
  const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', '--prefix', home, '--ignore-scripts=false', ...quiet], inherited())
  const { stdout } = spawnSync('node', ['-v'], { env, encoding: 'utf8', shell })
  if (!isNewEnough(stdout.trim())) {
    console.error(`bootstrap: this needs Node ${minimum.join('.')} or later; got ${stdout.trim()} after installing.`)
    process.exit(1)
  }
  writeFileSync(join(home, 'complete'), '')
  return env
}

function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1])
}

/** What `npm run` adds must not reach pnpm, which warns about every setting it does not know. */
function inherited() {
  const kept = /^npm_config_(cache|registry|userconfig)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)))
}

function run(command, args, env) {
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit', shell })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
