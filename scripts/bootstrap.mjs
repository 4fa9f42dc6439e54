// `node scripts/bootstrap.mjs <file> [arguments]` runs that file with the packages installed by the pinned pnpm, and
// under a pinned Node where this machine's Node is too old. Needs nothing but Node 18 or later with npm. What it
// fetches goes under .toolchain/, which git ignores. Its own words go to stderr: stdout belongs to the file it runs.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_VERSION = '24.21.0'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const pnpmVersion = manifest.packageManager.replace(/^pnpm@/, '')
const minimum = manifest.engines.node.match(/\d+/g).map(Number)
const shell = process.platform === 'win32'

const [file, ...args] = process.argv.slice(2)
const env = toolchain()
installPackages()
run(file, args)

/** Installs what is missing, checks that it works, and returns the environment to run in. */
function toolchain() {
  const wanted = { pnpm: pnpmVersion, ...(isNewEnough(process.version) ? {} : { node: NODE_VERSION }) }
  const names = Object.entries(wanted).map((entry) => entry.join(' '))
  const home = join(root, '.toolchain', names.join('-').replaceAll(' ', '-'))
  const path = [join(home, 'node_modules', '.bin'), join(root, 'node_modules', '.bin'), dirname(process.execPath)]
  const found = { ...inherited(), PATH: [...path, process.env.PATH].join(delimiter) }
  if (existsSync(join(home, 'complete'))) return found

  console.error(`Fetching ${names.join(' and ')} into .toolchain/ (once).`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  // The `node` package puts its binary in place by an install script, which newer npm runs only where it is allowed.
  const allowScripts = { node: true }
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, dependencies: wanted, allowScripts }))
  const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  runQuietly('npm', ['install', '--prefix', home, '--ignore-scripts=false', ...quiet], inherited())
  // Where install scripts are off after all, npm succeeds and leaves the old Node in charge.
  const { stdout } = spawnSync('node', ['-v'], { env: found, encoding: 'utf8', shell })
  if (!isNewEnough(String(stdout).trim())) {
    fail(`this needs Node ${minimum.join('.')} or later; got ${String(stdout).trim() || 'none'} after installing.`)
  }
  writeFileSync(join(home, 'complete'), '')
  return found
}

function installPackages() {
  if (!existsSync(join(root, 'node_modules'))) console.error('Installing the packages (once).')
  // Without CI, pnpm would stop and ask before it replaces a node_modules made by another version of itself.
  runQuietly('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { ...env, CI: 'true' })
}

/** Hands the terminal over to the file: its streams, the signals that reach us, and its exit code. */
function run(name, rest) {
  // Node 22 warns of its own `node:sqlite`, which the local service uses.
  const child = spawn('node', ['--disable-warning=ExperimentalWarning', join(root, name), ...rest], {
    cwd: root,
    env,
    stdio: 'inherit',
    shell,
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A shell between npm and us dies of a signal without passing it on.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0)
  })
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

/** Shows what the command printed only when it failed. */
function runQuietly(command, commandArgs, commandEnv) {
  const options = { cwd: root, env: commandEnv, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'pipe'] }
  const { status, error, stdout, stderr } = spawnSync(command, commandArgs, options)
  if (!error && status === 0) return
  console.error(stdout, stderr)
  fail(error ? error.message : `${command} ${commandArgs[0]} ended with ${status}.`)
}

function fail(reason) {
  console.error(`bootstrap: ${reason}`)
  process.exit(1)
}
