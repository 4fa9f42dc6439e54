import { createContext, runInContext } from 'node:vm'
import { SvcClient, type SvcClientOptions } from '@svc/client'
import { startLocal } from '@svc/local'
import { expect, it, onTestFinished } from 'vitest'
import { bundle } from './bundle.ts'

interface Worker {
  handle(options: SvcClientOptions): Promise<unknown>
}

/** The bundle in a runtime with the globals of the web and nothing of Node, where text cannot become code. */
async function startWorker(fetched: typeof fetch, wait: typeof setTimeout = setTimeout) {
  const { code, nodeImports } = await bundle('edge-prompts.mjs', 'an edge runtime')
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const console = { log: write, debug: write, info: write, warn: write, error: write }
  const { crypto, TextEncoder, TextDecoder, URL, URLSearchParams, Headers, AbortController, AbortSignal } = globalThis
  const { clearTimeout, queueMicrotask, btoa, atob, Blob, performance } = globalThis
  const web = { crypto, TextEncoder, TextDecoder, URL, URLSearchParams, Headers, AbortController, AbortSignal }
  const more = {
    setTimeout: wait,
    clearTimeout,
    queueMicrotask,
    btoa,
    atob,
    Blob,
    performance,
    fetch: fetched,
    console,
  }
  const runtime = createContext({ ...web, ...more }, { codeGeneration: { strings: false, wasm: false } })
  return { worker: runInContext(`${code}\napp`, runtime) as Worker, lines, nodeImports }
}

const OF_THE_FILE = { text: 'Judge Dune.', version: 3, isFallback: true }

it('@svc/client on an edge runtime uses bundled prompts until the service responds', async () => {
  const { publicKey, secretKey, url: baseUrl, close } = await startLocal()
  onTestFinished(close)
  const keys = { publicKey, secretKey }
  // The service is in this process: how soon it responds is not the subject.
  const never = (() => 0) as unknown as typeof setTimeout
  const { worker, lines, nodeImports } = await startWorker(fetch, never)
  expect(nodeImports).toEqual([])
  expect(await worker.handle({ ...keys, baseUrl: 'http://127.0.0.1:1' })).toEqual(OF_THE_FILE)
  expect(lines).toEqual([expect.stringContaining('so its file (version 3) is used: ')])
  const { prompt } = new SvcClient({ ...keys, baseUrl })
  await prompt.create({ name: 'movie-critic', prompt: 'Praise {{movie}}.', labels: ['production'] })
  expect(await worker.handle({ ...keys, baseUrl })).toEqual({ text: 'Praise Dune.', version: 1, isFallback: false })
})

it('@svc/client on an edge runtime does not wait for a service that never responds', async () => {
  const { worker, lines } = await startWorker(() => new Promise(() => {}))
  const options = { publicKey: 'pk', secretKey: 'sk', baseUrl: 'https://svc.example.com' }
  expect(await worker.handle(options)).toEqual(OF_THE_FILE)
  expect(lines).toEqual([expect.stringContaining('no answer within 250 ms')])
})
