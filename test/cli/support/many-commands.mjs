// A process that runs commands of svc one after the other: each message is one, with its arguments, folder and variables.
import { main } from '../../../packages/cli/dist/main.js'

const exit = process.exit.bind(process)
const stopped = Symbol('process.exit')
const written = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text) => {
    written[name] += text
    return true
  }
}
process.exit = (code) => {
  process.exitCode = code
  throw stopped
}

let last = Promise.resolve()
process.on('message', (command) => {
  last = last.then(() => run(command))
})
process.on('disconnect', () => exit())

async function run({ args, cwd, env }) {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.assign(written, { stdout: '', stderr: '' })
  process.exitCode = 0
  try {
    await main([process.execPath, 'svc', ...args])
  } catch (error) {
    if (error !== stopped) throw error
  }
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  process.removeAllListeners('SIGINT')
  const code = process.exitCode
  process.exitCode = 0
  process.send({ code, ...written })
}
