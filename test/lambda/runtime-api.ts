import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PRELOAD } from '../preload/apps.ts'
import { type Program, startNode } from '../support/run.ts'
import type { Service } from '../support/service.ts'

/** The folder of the handlers. */
export const APPS = fileURLToPath(new URL('apps', import.meta.url))

/**
 * Starts a function, whose spans have the name of its handler as their release.
 *
 * @param preloads default: ours
 */
export async function startFunction(
  { env, local }: Service,
  handler: string,
  more?: Readonly<Record<string, string>>,
  preloads: readonly string[] = PRELOAD,
) {
  // A busy machine may take longer than the default.
  const patient = { SVC_RELEASE: handler, SVC_INVOCATION_TIMEOUT: '60' }
  const lambda = await LambdaFunction.start(handler, { ...env, ...patient, ...more }, preloads)
  const spans = () => local.spans().filter(({ attributes }) => attributes['svc.release'] === handler)
  const roots = () => spans().filter(({ name }) => name === 'shop')
  const calls = () => spans().filter(({ name }) => name !== 'shop')
  return { lambda, roots, calls }
}

/** What a function answered. */
export interface Answer {
  /** Its JSON. */
  readonly body: unknown
  readonly isError: boolean
}

interface Invoked {
  readonly event: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly answer: (answer: Answer) => void
}

/**
 * A function on loopback as AWS Lambda runs one: the Runtime API, and a process under the preload in which
 * `aws-lambda-ric` asks it for invocations. The process is stopped whenever it has answered, and of a streamed response when
 * it asks for the next invocation, until there is one.
 */
class LambdaFunction {
  readonly program: Program
  readonly #server
  #invoked: Invoked | undefined
  #asking: ServerResponse | undefined
  #answered: Invoked['answer'] | undefined
  #streamed: Answer | undefined
  #count = 0

  private constructor(
    server: ReturnType<typeof createServer>,
    handler: string,
    env: Readonly<Record<string, string>>,
    preloads: readonly string[],
  ) {
    this.#server = server
    const { port } = server.address() as AddressInfo
    this.program = startNode([...preloads, 'ric.mjs', handler], {
      cwd: APPS,
      // What makes it the published package is a preload.
      asBuilt: preloads.length === 0,
      env: {
        ...env,
        _HANDLER: handler,
        LAMBDA_TASK_ROOT: APPS,
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
        AWS_LAMBDA_FUNCTION_NAME: 'shop',
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      },
    })
    server.on('request', (request, response) => void this.#serve(request, response))
  }

  /** @param handler in `apps/`: `module.handler` */
  static async start(
    handler: string,
    env: Readonly<Record<string, string>>,
    preloads: readonly string[],
  ): Promise<LambdaFunction> {
    const server = createServer()
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    return new LambdaFunction(server, handler, env, preloads)
  }

  /**
   * @param headers of the invocation, over those that all have
   * @returns the answer, after which the process is frozen
   */
  invoke(event: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    this.#count += 1
    const all = {
      'lambda-runtime-aws-request-id': `request-${this.#count}`,
      'lambda-runtime-deadline-ms': String(Date.now() + 900_000),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-west-1:123456789012:function:shop:live',
      ...headers,
    }
    const ended = this.program.ended.then(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr)))
    const answered = new Promise<Answer>((answer) => {
      this.#invoked = { event, headers: all, answer }
      this.#pass()
      this.program.kill('SIGCONT')
    })
    return Promise.race([answered, ended])
  }

  /** Ends the frozen process as the platform does, which tells nobody. */
  async kill(): Promise<void> {
    this.program.kill('SIGKILL')
    await this.program.ended
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.endsWith('/invocation/next')) {
      this.#asking = response
      if (this.#streamed) this.#freeze(this.#streamed)
      this.#streamed = undefined
      this.#pass()
      return
    }
    const chunks: Buffer[] = await request.toArray()
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    const answer = { body, isError: request.url?.endsWith('/error') === true }
    if (request.headers['lambda-runtime-function-response-mode'] === 'streaming') this.#streamed = answer
    else this.#freeze(answer)
    response.writeHead(202).end()
  }

  #freeze(answer: Answer): void {
    this.program.kill('SIGSTOP')
    this.#answered?.(answer)
  }

  /** Answers who asks for an invocation, if there is one. */
  #pass(): void {
    if (!this.#asking || !this.#invoked) return
    const { event, headers, answer } = this.#invoked
    this.#answered = answer
    this.#asking.writeHead(200, headers).end(JSON.stringify(event))
    this.#asking = undefined
    this.#invoked = undefined
  }
}
