import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import type { Project } from './prompt-folder.ts'

/** An app that uses pulled prompts, and the compiler that checks it. */

export const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    ...{ target: 'ES2022', lib: ['ES2023', 'DOM'], module: 'NodeNext', types: [], strict: true, noEmit: true },
    ...{ exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    ...{ isolatedModules: true, erasableSyntaxOnly: true },
  },
})

/** Its argument is how long it waits for the service. */
export const JAVASCRIPT = `
import { SvcClient } from '@svc/client'
import { prompts } from './prompts/svc-prompts.js'

const { prompt } = new SvcClient({ prompts })
const fileAfterMs = Number(process.argv[2])
const critic = await prompt.get('movie-critic', { fileAfterMs })
const guide = await prompt.get('support/guide', { fileAfterMs })
const texts = [critic.compile({ movie: 'Dune' }), ...guide.compile({ city: 'Oslo' }, { history: [] }).map((m) => m.content)]
console.log(JSON.stringify({ texts, isFallback: [critic, guide].map((each) => each.isFallback) }))
`
/** For what TypeScript has to know of Node. */
export const NODE = 'declare const process: { readonly argv: readonly string[] }\n'
export const TYPESCRIPT = JAVASCRIPT.replace('.js', '.ts').concat(NODE)

/** A port that takes connections and never answers. */
async function hangingUrl(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** What the app does where the service is there, and where it hangs. */
export async function expectApp(project: Project, file: string) {
  const texts = ['Judge Dune.', 'You know Oslo.']
  // On a busy machine the service may need longer than the 250 ms that it usually has.
  const there = await project.node([file, '60000'])
  expect(JSON.parse(there.stdout)).toMatchObject({ texts, isFallback: [false, false] })
  const away = await project.node([file, '250'], {
    ...project.local.env,
    // Whoever waits for an answer, or for the end of a fetch, takes longer than any test.
    ...{ SVC_BASE_URL: await hangingUrl(), SVC_TIMEOUT: '600' },
  })
  expect({ code: away.code, ...JSON.parse(away.stdout) }).toEqual({ code: 0, texts, isFallback: [true, true] })
  expect(away.stderr.match(/so its file \(version 1\) is used: no answer within 250 ms/g)).toHaveLength(1)
}
