import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPacked } from './pack.ts'

/** Those of Next, Nest and LangChain would bring their frameworks; they are installed with all of ours in other files. */
const PACKAGES = ['cli', 'client', 'local', 'otel', 'register'].map((name) => `@svc/${name}`)

/** An application that calls a model, `chat.mjs` and `chat.cjs`, with our packages as npm installs them. */
export async function installChat(dependencies: Readonly<Record<string, string>> = {}): Promise<string> {
  const home = await installPacked({ dependencies: { openai: '7.55.0', ...dependencies } }, { only: PACKAGES })
  const apps = fileURLToPath(new URL('../preload/apps/', import.meta.url))
  for (const name of ['chat.mjs', 'chat.cjs']) await cp(join(apps, name), join(home, name))
  return home
}
