// An app as a child process, under the preload: started, listened to, ended.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { plainEnvironment } from './environment.mjs'

/**
 * Starts the app and returns at once: `listening` resolves with its URL, `failed` rejects when it ends without being
 * asked to, `stop` asks it to.
 */
export function startApp(folder, file, variables) {
  const child = spawn(process.execPath, ['--import', '@svc/register', file], {
    cwd: folder,
    env: { ...plainEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches a whole group of processes; this one we end ourselves.
    detached: process.platform !== 'win32',
  })
  let stopping = false
  const gone = new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`))
  })
  const failed = gone.then((how) => (stopping ? new Promise(() => {}) : Promise.reject(new Error(`${file} ${how}.`))))
  // Whoever waits for something from the app races it; when nobody waits, nobody needs to know.
  failed.catch(() => {})
  return { listening: Promise.race([urlIn(child.stdout), failed]), failed, stop }

  async function stop() {
    stopping = true
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await gone
    clearTimeout(late)
  }
}

function urlIn(output) {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url) resolve(url)
    })
  })
}
