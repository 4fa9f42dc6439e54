import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A trace that answers the requests of a test file. */
export interface ReplayedTrace {
  /** Returns what differed so far, a line for each request that failed because of it. */
  differences(): readonly string[]
  /** Lets requests go to the models again. */
  close(): Promise<void>
}

/**
 * Answers the requests to models of a test file from a trace, so that a test of an agent asks no model. A request that
 * differs from the trace fails, with a message that names the difference. Call it before what sends requests is imported.
 *
 * It is the `replay` of `@svc/cli`, which has to be installed.
 *
 * @param fixture the path of a file that `svc traces export` wrote
 * @throws {Error} without `@svc/cli`
 * @throws {TypeError} for a file that is no trace
 * @example
 * const { close, differences } = await replay('refund.json')
 * afterAll(close)
 * it('says that shoes can be returned', async () => expect(await agent('Can I return shoes?')).toContain('30 days'))
 */
export async function replay(fixture: string | URL): Promise<ReplayedTrace> {
  const cli = (await import(locate())) as { readonly replay: typeof replay }
  return cli.replay(fixture)
}

/** No dependency, because few need it: beside this package, or in the project whose tests run. */
function locate(): string {
  const paths = [import.meta.dirname, process.cwd()]
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve('@svc/cli/replay', { paths })).href
  } catch (cause) {
    throw new Error('replay() needs @svc/cli, which is not installed: npm i -D @svc/cli', { cause })
  }
}
